package io.millrace.standalone;

import io.millrace.servlet.session.SessionSettings;
import io.millrace.servlet.session.store.FileSessionStore;
import io.millrace.servlet.session.store.SessionStore;
import io.millrace.settings.Settings;
import io.millrace.standalone.cli.OperatorException;
import io.millrace.standalone.config.ContextSettings;
import io.millrace.standalone.config.SessionValves;
import io.millrace.standalone.config.Values;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The session settings of {@code <Manager>}: the StandardManager keeps sessions across restarts, in the directory of its
 * pathname; the PersistentManager keeps them in its Store, a directory or a table, and swaps out idle ones; with a
 * PersistentValve, each request reads its session from the Store.
 */
final class SessionManager {

    private final ContextSettings context;
    private final List<Values> valves;
    private final @Nullable Path work;
    private final String contextPath;
    private final String inDatabases;
    private final boolean persistent;

    /**
     * Of one application.
     *
     * @param valves those of Engine, Host and Context that configure sessions
     * @param work the application's work directory; null if sessions are not stored in files
     * @param contextPath for messages
     * @param inDatabases its name in session tables
     */
    SessionManager(
            ContextSettings context, List<Values> valves, @Nullable Path work, String contextPath, String inDatabases) {
        this.context = context;
        this.valves = valves;
        this.work = work;
        this.contextPath = contextPath.isEmpty() ? "/" : contextPath;
        this.inDatabases = inDatabases;
        persistent = context.manager().text("className", "").endsWith(".PersistentManager");
    }

    /** @throws OperatorException if its database cannot be used; the message is the reason */
    SessionSettings settings(SharedResources shared) throws OperatorException {
        Values generator = context.sessionIdGenerator();
        Settings settings =
                context.settings(SessionSettings.ofContext(), context.manager().settings());
        SessionSettings said =
                SessionSettings.DEFAULT.with(generator == null ? settings : generator.settings(settings));
        SessionDatabase database = SessionDatabase.of(context);
        SessionStore store = database == null ? files() : database.sessions(inDatabases, shared);
        if (store == null) {
            return said;
        }
        boolean eachRequest = persistent && SessionValves.last(SessionValves.PERSISTENT, valves) != null;
        return eachRequest ? said.shared(store) : said.keptOverRestart(store);
    }

    /** Null if sessions are kept in memory only. */
    private @Nullable SessionStore files() {
        String directory =
                persistent ? directory(context.store()) : context.manager().text("pathname", "");
        if (directory.isEmpty() || work == null) {
            return null;
        }
        try {
            return new FileSessionStore(work.resolve(directory));
        } catch (IOException e) {
            Messages.LOG.sessionsNotKept(contextPath, e.toString());
            return null;
        }
    }

    private static String directory(@Nullable Values store) {
        return store == null ? "" : store.text("directory", "sessions");
    }
}

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
 * What {@code <Manager>} means here: the StandardManager keeps sessions over a restart in a directory of its pathname, the
 * PersistentManager those of its Store, a directory or a table, where idle ones go as well; with a PersistentValve, each request
 * reads its session there.
 */
final class SessionManager {

    private final ContextSettings context;
    private final List<Values> valves;
    private final @Nullable Path work;
    private final String contextPath;
    private final String inDatabases;
    private final boolean persistent;

    /**
     * The sessions of one application.
     *
     * @param valves those that say something of sessions, of Engine, Host and Context
     * @param work the application's own directory; null: sessions are in no files
     * @param contextPath as people read it
     * @param inDatabases its name there
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

    /** @throws OperatorException if its database can't be used, and why */
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

    /** Null: in memory. */
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

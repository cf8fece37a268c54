package io.millrace.standalone;

import io.millrace.servlet.session.SessionSettings;
import io.millrace.servlet.session.store.FileSessionStore;
import io.millrace.settings.Settings;
import io.millrace.standalone.config.ContextSettings;
import io.millrace.standalone.config.Values;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What {@code <Manager>} means here: the StandardManager keeps sessions over a restart in a directory of its pathname, the
 * PersistentManager those of its FileStore, where idle ones go as well.
 */
final class SessionManager {

    private final Values manager;
    private final @Nullable Path work;
    private final String application;

    private SessionManager(Values manager, @Nullable Path work, String application) {
        this.manager = manager;
        this.work = work;
        this.application = application.isEmpty() ? "/" : application;
    }

    static SessionSettings settings(ContextSettings context, @Nullable Path work, String application) {
        Values generator = context.sessionIdGenerator();
        Settings settings =
                context.settings(SessionSettings.ofContext(), context.manager().settings());
        SessionSettings said =
                SessionSettings.DEFAULT.with(generator == null ? settings : generator.settings(settings));
        return new SessionManager(context.manager(), work, application).kept(said, context.store());
    }

    private SessionSettings kept(SessionSettings settings, @Nullable Values store) {
        String type = manager.text("className", "");
        boolean persistent = type.endsWith(".PersistentManager");
        String directory = persistent ? directory(store) : manager.text("pathname", "");
        if (directory.isEmpty() || work == null) {
            return settings;
        }
        try {
            return settings.keptOverRestart(new FileSessionStore(work.resolve(directory)));
        } catch (IOException e) {
            Messages.LOG.sessionsNotKept(application, e.toString());
            return settings;
        }
    }

    private static String directory(@Nullable Values store) {
        return store == null ? "" : store.text("directory", "sessions");
    }
}

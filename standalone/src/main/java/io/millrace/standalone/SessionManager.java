package io.millrace.standalone;

import io.millrace.servlet.session.SessionSettings;
import io.millrace.servlet.session.SessionSettingsBuilder;
import io.millrace.servlet.session.store.FileSessionStore;
import io.millrace.standalone.config.ContextSettings;
import io.millrace.standalone.config.Values;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What {@code <Manager>} means here: the StandardManager keeps sessions over a restart in a directory of its pathname, the
 * PersistentManager those of its FileStore, where idle ones go as well.
 */
final class SessionManager {

    private static final int LEAST_ID_BYTES = 16;

    private final Values manager;
    private final SessionSettingsBuilder settings = SessionSettings.builder();
    private final @Nullable Path work;
    private final String application;

    private SessionManager(Values manager, @Nullable Path work, String application) {
        this.manager = manager;
        this.work = work;
        this.application = application.isEmpty() ? "/" : application;
    }

    static SessionSettings settings(ContextSettings context, @Nullable Path work, String application) {
        SessionManager reading = new SessionManager(context.manager(), work, application);
        reading.carrying(context);
        reading.ids(context.sessionIdGenerator());
        reading.limits();
        reading.keeping(context.store());
        return reading.settings.build();
    }

    private void carrying(ContextSettings context) {
        settings.cookieName(context.text("sessionCookieName"))
                .cookieDomain(context.text("sessionCookieDomain"))
                .cookiePath(context.text("sessionCookiePath"))
                .httpOnly(context.flag("useHttpOnly"))
                .cookies(context.flag("cookies"));
    }

    private void ids(@Nullable Values generator) {
        String length = generator == null ? null : generator.text("sessionIdLength");
        String bytes = length == null ? manager.text("sessionIdLength") : length;
        if (bytes != null) {
            settings.idBytes(Math.max(LEAST_ID_BYTES, Integer.parseInt(bytes.strip())));
        }
    }

    private void limits() {
        settings.maxActive(manager.number("maxActiveSessions"))
                .maxIdleSwap(Duration.ofSeconds(manager.number("maxIdleSwap")))
                .maxIdleBackup(Duration.ofSeconds(manager.number("maxIdleBackup")))
                .persistAuthentication(manager.flag("persistAuthentication"))
                .attributeNames(pattern("sessionAttributeNameFilter"))
                .attributeClasses(pattern("sessionAttributeValueClassNameFilter"));
    }

    private @Nullable Pattern pattern(String attribute) {
        String text = manager.text(attribute);
        return text == null || text.isEmpty() ? null : Pattern.compile(text);
    }

    private void keeping(@Nullable Values store) {
        String type = manager.text("className", "");
        boolean persistent = type.endsWith(".PersistentManager");
        String directory = persistent ? directory(store) : manager.text("pathname", "");
        if (directory.isEmpty() || work == null) {
            return;
        }
        try {
            settings.keptOverRestart(new FileSessionStore(work.resolve(directory)));
        } catch (IOException e) {
            Messages.LOG.sessionsNotKept(application, e.toString());
        }
    }

    private static String directory(@Nullable Values store) {
        return store == null ? "" : store.text("directory", "sessions");
    }
}

package io.millrace.servlet.session;

import io.millrace.servlet.session.SessionSettings.Keeping;
import io.millrace.servlet.session.store.SessionStore;
import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Says how sessions are kept; see {@link SessionSettings} for the meanings and the defaults. */
public final class SessionSettingsBuilder {

    private static final Duration NEVER = Duration.ofSeconds(-1);

    /** OWASP asks for 64 bits of entropy, Tomcat gives 128. */
    private static final int LEAST_ID_BYTES = 16;

    private static final int ID_BYTES = 20;

    private Keeping keeping = Keeping.MEMORY;
    private @Nullable SessionStore store;
    private int idBytes = ID_BYTES;
    private int maxActive = -1;
    private Duration maxIdleSwap = NEVER;
    private Duration maxIdleBackup = NEVER;
    private boolean persistAuthentication;
    private @Nullable Pattern attributeNames;
    private @Nullable Pattern attributeClasses;
    private @Nullable String cookieName;
    private @Nullable String cookieDomain;
    private @Nullable String cookiePath;
    private boolean httpOnly = true;
    private boolean cookies = true;

    SessionSettingsBuilder() {}

    /** Sessions outlast a restart of the application: they are in memory while it runs, in the store while it does not. */
    public SessionSettingsBuilder keptOverRestart(SessionStore in) {
        keeping = Keeping.RESTART;
        store = in;
        return this;
    }

    /** Sessions belong to all servers that share the store: each request reads its session there. */
    public SessionSettingsBuilder shared(SessionStore by) {
        keeping = Keeping.SHARED;
        store = by;
        return this;
    }

    /** Sessions in memory at a time; negative, the default: any number. */
    public SessionSettingsBuilder maxActive(int sessions) {
        maxActive = sessions;
        return this;
    }

    /**
     * Random bytes of a session id, 20 by default.
     *
     * @throws IllegalArgumentException if less than 16: ids that can be guessed are open doors
     */
    public SessionSettingsBuilder idBytes(int bytes) {
        if (bytes < LEAST_ID_BYTES) {
            throw new IllegalArgumentException(
                    "session ids of " + bytes + " bytes can be guessed; take at least " + LEAST_ID_BYTES);
        }
        idBytes = bytes;
        return this;
    }

    /** How long a session may be unused in memory before it goes to the store; negative, the default: for ever. */
    public SessionSettingsBuilder maxIdleSwap(Duration idle) {
        maxIdleSwap = idle;
        return this;
    }

    /** After how long unused a session is also written to the store; negative, the default: never. */
    public SessionSettingsBuilder maxIdleBackup(Duration idle) {
        maxIdleBackup = idle;
        return this;
    }

    /** Whether who logged in stays so over a restart. False by default, as with Tomcat; in shared stores always. */
    public SessionSettingsBuilder persistAuthentication(boolean kept) {
        persistAuthentication = kept;
        return this;
    }

    /** Stores attributes of these names only. */
    public SessionSettingsBuilder attributeNames(@Nullable Pattern names) {
        attributeNames = names;
        return this;
    }

    /** Stores and reads objects of these classes only. */
    public SessionSettingsBuilder attributeClasses(@Nullable Pattern classes) {
        attributeClasses = classes;
        return this;
    }

    /** The session cookie's name, in place of the application's. */
    public SessionSettingsBuilder cookieName(@Nullable String name) {
        cookieName = name;
        return this;
    }

    /** The session cookie's domain, in place of the application's. */
    public SessionSettingsBuilder cookieDomain(@Nullable String domain) {
        cookieDomain = domain;
        return this;
    }

    /** The session cookie's path, in place of the application's. */
    public SessionSettingsBuilder cookiePath(@Nullable String path) {
        cookiePath = path;
        return this;
    }

    /** Whether scripts are kept from the session cookie unless the application says so. True by default. */
    public SessionSettingsBuilder httpOnly(boolean only) {
        httpOnly = only;
        return this;
    }

    /** Whether cookies carry ids unless the application says so. True by default. */
    public SessionSettingsBuilder cookies(boolean used) {
        cookies = used;
        return this;
    }

    public SessionSettings build() {
        return new SessionSettings(
                keeping,
                store,
                idBytes,
                maxActive,
                maxIdleSwap,
                maxIdleBackup,
                persistAuthentication,
                attributeNames,
                attributeClasses,
                cookieName,
                cookieDomain,
                cookiePath,
                httpOnly,
                cookies);
    }
}

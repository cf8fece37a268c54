package io.millrace.servlet.session;

import static io.millrace.settings.SettingType.BOOLEAN;
import static io.millrace.settings.SettingType.PATTERN;
import static io.millrace.settings.SettingType.TEXT;
import static io.millrace.settings.SettingType.number;

import io.millrace.servlet.session.store.SessionStore;
import io.millrace.settings.Setting;
import io.millrace.settings.SettingGroup;
import io.millrace.settings.SettingType;
import io.millrace.settings.Settings;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How an application's sessions are kept and tracked, as far as its operator says it rather than its web.xml: Tomcat's
 * {@code <Manager>} and the session attributes of {@code <Context>}, by their names there. What is not set is as web.xml or
 * Tomcat's default has it. Immutable: {@code SessionSettings.DEFAULT.with(MAX_ACTIVE_SESSIONS, 100_000)}.
 */
public final class SessionSettings {

    private static final SettingGroup MANAGER = new SettingGroup();
    private static final SettingGroup CONTEXT = new SettingGroup();

    /** OWASP asks for 64 bits of entropy, Tomcat gives 128. */
    private static final int LEAST_ID_BYTES = 16;

    private static final Pattern ANY = Pattern.compile(".*", Pattern.DOTALL);
    private static final SettingType<Integer> SECONDS = number(-1, Integer.MAX_VALUE);
    private static final SettingType<Pattern> FILTER =
            PATTERN.readFrom(PATTERN, pattern -> pattern.pattern().isEmpty() ? ANY : pattern);

    /** Sessions in memory at a time; -1: any number. {@code getSession} fails beyond. */
    public static final Setting<Integer> MAX_ACTIVE_SESSIONS =
            MANAGER.add("maxActiveSessions", number(-1, Integer.MAX_VALUE), -1);

    /** After how many seconds without a request a session leaves memory for the store; -1: never. */
    public static final Setting<Integer> MAX_IDLE_SWAP = MANAGER.add("maxIdleSwap", SECONDS, -1);

    /** After how many seconds without a request a session is also written to the store; -1: never. */
    public static final Setting<Integer> MAX_IDLE_BACKUP = MANAGER.add("maxIdleBackup", SECONDS, -1);

    /** Whether a login outlasts a restart with its session. In shared stores always. */
    public static final Setting<Boolean> PERSIST_AUTHENTICATION = MANAGER.add("persistAuthentication", BOOLEAN, false);

    /**
     * Random bytes of a session id, before they are written in letters. At least 16, since ids that can be guessed are open
     * doors; what server.xml sets below that is taken for 16.
     */
    public static final Setting<Integer> SESSION_ID_LENGTH = MANAGER.add(
            "sessionIdLength",
            number(LEAST_ID_BYTES, 1024).readFrom(number(1, 1024), bytes -> Math.max(LEAST_ID_BYTES, bytes)),
            20);

    /** The names of attributes that are stored. */
    public static final Setting<Pattern> SESSION_ATTRIBUTE_NAME_FILTER =
            MANAGER.add("sessionAttributeNameFilter", FILTER, ANY, null);

    /** The names of classes whose objects are stored and read, of those that may be. */
    public static final Setting<Pattern> SESSION_ATTRIBUTE_VALUE_CLASS_NAME_FILTER =
            MANAGER.add("sessionAttributeValueClassNameFilter", FILTER, ANY, null);

    /** The session cookie's name; empty: what the application says. */
    public static final Setting<String> SESSION_COOKIE_NAME = CONTEXT.add("sessionCookieName", TEXT, "", null);

    /** The session cookie's domain; empty: what the application says. */
    public static final Setting<String> SESSION_COOKIE_DOMAIN = CONTEXT.add("sessionCookieDomain", TEXT, "", null);

    /** The session cookie's path; empty: what the application says. */
    public static final Setting<String> SESSION_COOKIE_PATH = CONTEXT.add("sessionCookiePath", TEXT, "", null);

    /** Whether scripts are kept from the session cookie unless the application says otherwise. */
    public static final Setting<Boolean> USE_HTTP_ONLY = CONTEXT.add("useHttpOnly", BOOLEAN, true);

    /** False: ids are carried in URLs only, unless the application says otherwise. */
    public static final Setting<Boolean> COOKIES = CONTEXT.add("cookies", BOOLEAN, true);

    /** In memory, until the application stops. */
    public static final SessionSettings DEFAULT = new SessionSettings(Settings.DEFAULTS, Keeping.MEMORY, null, null);

    private final Settings settings;
    private final Keeping keeping;
    private final @Nullable SessionStore store;

    private final @Nullable CrawlerRule crawlers;

    private SessionSettings(
            Settings settings, Keeping keeping, @Nullable SessionStore store, @Nullable CrawlerRule crawlers) {
        this.settings = settings;
        this.keeping = keeping;
        this.store = store;
        this.crawlers = crawlers;
    }

    /** Where sessions are between requests. */
    public enum Keeping {
        /** In memory; they end with the application. */
        MEMORY,
        /** In memory, and in the store while the application is stopped, or when they were idle for long. */
        RESTART,
        /** In the store, which several servers may share; read for each request, written after it. */
        SHARED
    }

    /** Those of {@code <Manager>}. */
    public static List<Setting<?>> ofManager() {
        return MANAGER.settings();
    }

    /** Those of {@code <Context>}. */
    public static List<Setting<?>> ofContext() {
        return CONTEXT.settings();
    }

    /** The value of a setting. */
    public <T> T get(Setting<T> setting) {
        return settings.get(setting);
    }

    /**
     * The same with another value of a setting.
     *
     * @throws IllegalArgumentException if it is beyond the setting's limits, naming them
     */
    public <T> SessionSettings with(Setting<T> setting, T value) {
        return with(settings.with(setting, value));
    }

    /** The same with other values of all settings. */
    public SessionSettings with(Settings values) {
        return new SessionSettings(values, keeping, store, crawlers);
    }

    /** The same, where sessions outlast a restart: they are in memory while the application runs, in the store while it does not. */
    public SessionSettings keptOverRestart(SessionStore in) {
        return new SessionSettings(settings, Keeping.RESTART, in, crawlers);
    }

    /** The same, where sessions belong to all servers that share the store: each request reads its session there. */
    public SessionSettings shared(SessionStore by) {
        return new SessionSettings(settings, Keeping.SHARED, by, crawlers);
    }

    /** The same, where crawlers have a session for each address; not where sessions are shared with other servers. */
    public SessionSettings with(CrawlerRule rule) {
        return new SessionSettings(settings, keeping, store, rule);
    }

    /** Null: crawlers are clients as others. */
    public @Nullable CrawlerRule crawlers() {
        return crawlers;
    }

    /** Where sessions are between requests. */
    public Keeping keeping() {
        return keeping;
    }

    /** Where they are stored; null if they are kept in memory. */
    public @Nullable SessionStore store() {
        return store;
    }
}

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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The operator's settings of an application's sessions: those of Tomcat's {@code <Manager>}, and the session attributes of
 * {@code <Context>}, with the same names. A setting that is not set has the value of web.xml, or a default. Immutable: {@code
 * SessionSettings.DEFAULT.with(MAX_ACTIVE_SESSIONS, 100_000)}.
 */
public final class SessionSettings {

    private static final SettingGroup MANAGER = new SettingGroup();
    private static final SettingGroup CONTEXT = new SettingGroup();

    /** OWASP requires 64 bits of entropy; Tomcat's default is 128. */
    private static final int LEAST_ID_BYTES = 16;

    private static final int VIRTUAL_CONCURRENCY = 50;

    private static final Pattern ANY = Pattern.compile(".*", Pattern.DOTALL);
    private static final SettingType<Integer> SECONDS = number(-1, Integer.MAX_VALUE);
    private static final SettingType<Pattern> FILTER =
            PATTERN.readFrom(PATTERN, pattern -> pattern.pattern().isEmpty() ? ANY : pattern);

    /** Largest number of sessions in memory, beyond which {@code getSession} throws IllegalStateException; -1: no limit. */
    public static final Setting<Integer> MAX_ACTIVE_SESSIONS =
            MANAGER.add("maxActiveSessions", number(-1, Integer.MAX_VALUE), -1);

    /** Idle time in seconds after which a session is passivated: moved from memory to the store; -1: never. */
    public static final Setting<Integer> MAX_IDLE_SWAP = MANAGER.add("maxIdleSwap", SECONDS, -1);

    /** Idle time in seconds after which a session is copied to the store; -1: never. */
    public static final Setting<Integer> MAX_IDLE_BACKUP = MANAGER.add("maxIdleBackup", SECONDS, -1);

    /** Longest duration of a call of the session store, in milliseconds, after which its request gives up. */
    public static final Setting<Integer> STORE_TIMEOUT =
            MANAGER.add("storeTimeout", number(1, Integer.MAX_VALUE), 2000);

    /** Largest number of concurrent calls of the session store; 0: a quarter of the threads, or 50 if they are virtual. */
    public static final Setting<Integer> STORE_CONCURRENCY =
            MANAGER.add("storeConcurrency", number(0, Integer.MAX_VALUE), 0);

    /**
     * Memory for copies of sessions in a shared store, in KiB, so that a store that supports it need not transfer an unchanged
     * session again; 0: none.
     */
    public static final Setting<Integer> STORE_CACHE_SIZE =
            MANAGER.add("storeCacheSize", number(0, Integer.MAX_VALUE), 16_384);

    /**
     * With {@linkplain #sticky sticky} sessions, how long after a response its changes are written to the store, in milliseconds: what a
     * server that dies may lose. Changes of several requests are written at once.
     */
    public static final Setting<Integer> REPLICATION_DELAY = MANAGER.add("replicationDelay", number(1, 60_000), 100);

    /** Stores logins with their sessions, so that they survive a restart. Shared stores always do. */
    public static final Setting<Boolean> PERSIST_AUTHENTICATION = MANAGER.add("persistAuthentication", BOOLEAN, false);

    /**
     * Number of random bytes of a session id. At least 16, so that ids cannot be guessed; server.xml may have a lower number,
     * which means 16.
     */
    public static final Setting<Integer> SESSION_ID_LENGTH = MANAGER.add(
            "sessionIdLength",
            number(LEAST_ID_BYTES, 1024).readFrom(number(1, 1024), bytes -> Math.max(LEAST_ID_BYTES, bytes)),
            20);

    /** Matches the names of the attributes that are stored. */
    public static final Setting<Pattern> SESSION_ATTRIBUTE_NAME_FILTER =
            MANAGER.add("sessionAttributeNameFilter", FILTER, ANY, null);

    /** Matches the names of the classes that are stored and read, among those that are permitted at all. */
    public static final Setting<Pattern> SESSION_ATTRIBUTE_VALUE_CLASS_NAME_FILTER =
            MANAGER.add("sessionAttributeValueClassNameFilter", FILTER, ANY, null);

    /** The name of the session cookie; empty: the application's setting. */
    public static final Setting<String> SESSION_COOKIE_NAME = CONTEXT.add("sessionCookieName", TEXT, "", null);

    /** The domain of the session cookie; empty: the application's setting. */
    public static final Setting<String> SESSION_COOKIE_DOMAIN = CONTEXT.add("sessionCookieDomain", TEXT, "", null);

    /** The path of the session cookie; empty: the application's setting. */
    public static final Setting<String> SESSION_COOKIE_PATH = CONTEXT.add("sessionCookiePath", TEXT, "", null);

    /** The default of the session cookie's HttpOnly attribute, which hides it from scripts; the application can override it. */
    public static final Setting<Boolean> USE_HTTP_ONLY = CONTEXT.add("useHttpOnly", BOOLEAN, true);

    /** True: the default tracking modes are COOKIE and URL; false: URL only. The application can set others. */
    public static final Setting<Boolean> COOKIES = CONTEXT.add("cookies", BOOLEAN, true);

    /** Sessions in memory, which end when the application stops. */
    public static final SessionSettings DEFAULT =
            new SessionSettings(Settings.DEFAULTS, new Place(Keeping.MEMORY, null, null), null, null);

    private final Settings settings;
    private final Place place;

    /** Instead of the other one, if the application is distributable. */
    private final @Nullable Place ofDistributable;

    private final @Nullable CrawlerRule crawlers;

    private SessionSettings(
            Settings settings, Place place, @Nullable Place ofDistributable, @Nullable CrawlerRule crawlers) {
        this.settings = settings;
        this.place = place;
        this.ofDistributable = ofDistributable;
        this.crawlers = crawlers;
    }

    /**
     * Where sessions are.
     *
     * @param store null if they are in memory only
     * @param values what servers share beside sessions; null if nothing
     */
    private record Place(
            Keeping keeping,
            @Nullable SessionStore store,
            @Nullable SessionStore values) {}

    /** Where sessions are kept between requests. */
    public enum Keeping {
        /** In memory; they end when the application stops. */
        MEMORY,
        /** In memory, and in the store while the application is stopped or after a long idle time. */
        RESTART,
        /** In a store that several servers may share: read for each request, and written when it ends. */
        SHARED,
        /**
         * In memory while the client comes with this server's route, and in a store from which other servers take them over: changes
         * are written after the response, a login, a new id and an end before it.
         */
        STICKY;

        /** Whether several servers have the sessions. */
        boolean isShared() {
            return this == SHARED || this == STICKY;
        }
    }

    /** The settings of {@code <Manager>}. */
    public static List<Setting<?>> ofManager() {
        return MANAGER.settings();
    }

    /** The settings of {@code <Context>}. */
    public static List<Setting<?>> ofContext() {
        return CONTEXT.settings();
    }

    private static List<Setting<?>> all() {
        return Stream.concat(MANAGER.settings().stream(), CONTEXT.settings().stream())
                .toList();
    }

    /** The value of a setting. */
    public <T> T get(Setting<T> setting) {
        return settings.get(setting);
    }

    /**
     * Returns a copy with another value of a setting declared here.
     *
     * @throws IllegalArgumentException if the setting is declared elsewhere, or the value is outside its limits
     */
    public <T> SessionSettings with(Setting<T> setting, T value) {
        return with(settings.with(all(), setting, value));
    }

    /** Returns a copy with other values of all settings. */
    public SessionSettings with(Settings values) {
        return new SessionSettings(values, place, ofDistributable, crawlers);
    }

    /** Returns a copy whose sessions survive a restart of the application, in a store of this server alone. */
    public SessionSettings keptOverRestart(SessionStore in) {
        return new SessionSettings(settings, new Place(Keeping.RESTART, in, null), ofDistributable, crawlers);
    }

    /** Returns a copy whose sessions are shared by all servers that use the store: each request reads its session from it. */
    public SessionSettings shared(SessionStore by) {
        return new SessionSettings(settings, new Place(Keeping.SHARED, by, null), null, crawlers);
    }

    /**
     * As {@link #shared(SessionStore)}, for servers that share the nonces of DIGEST logins, too.
     *
     * @param values where they share them: a store of the same kind, under another name
     */
    public SessionSettings shared(SessionStore by, SessionStore values) {
        return new SessionSettings(settings, new Place(Keeping.SHARED, by, values), null, crawlers);
    }

    /**
     * Returns a copy whose sessions are {@link #shared} if the application is distributable ({@code <distributable/>} in web.xml);
     * those of others are kept as they are now.
     */
    public SessionSettings sharedIfDistributable(SessionStore by, SessionStore values) {
        return new SessionSettings(settings, place, new Place(Keeping.SHARED, by, values), crawlers);
    }

    /**
     * Returns a copy whose sessions are in the memory of the server that a load balancer sends their clients to, by the route in
     * their ids, and are taken over by another one from the store. The application does not start without a route ({@code
     * ContextOptions.JVM_ROUTE}).
     *
     * @param by where the sessions are copied to
     * @param values where servers tell each other which sessions they have taken over, and share the nonces of DIGEST logins: a store
     *     of the same kind, under another name
     */
    public SessionSettings sticky(SessionStore by, SessionStore values) {
        return new SessionSettings(settings, new Place(Keeping.STICKY, by, values), null, crawlers);
    }

    /** Returns a copy whose sessions are {@link #sticky} if the application is distributable; as {@link #sharedIfDistributable}. */
    public SessionSettings stickyIfDistributable(SessionStore by, SessionStore values) {
        return new SessionSettings(settings, place, new Place(Keeping.STICKY, by, values), crawlers);
    }

    /** Whether only {@code <distributable/>} in web.xml is missing for the sessions to be shared. */
    boolean isSharedIfDistributable() {
        return ofDistributable != null;
    }

    /** The settings for an application that has been read. */
    SessionSettings of(boolean distributable) {
        return distributable && ofDistributable != null
                ? new SessionSettings(settings, ofDistributable, null, crawlers)
                : this;
    }

    /** Returns a copy in which crawlers have one session per address. Ignored if sessions are shared with other servers. */
    public SessionSettings with(CrawlerRule rule) {
        return new SessionSettings(settings, place, ofDistributable, rule);
    }

    /** The rule for crawlers; null: they are treated like other clients. */
    public @Nullable CrawlerRule crawlers() {
        return crawlers;
    }

    /** Where sessions are kept between requests. */
    public Keeping keeping() {
        return place.keeping();
    }

    /** The number of concurrent calls of the store, if so many requests can run at the same time. */
    int storeConcurrency(int maxRunning) {
        int set = get(STORE_CONCURRENCY);
        int byDefault = maxRunning == Integer.MAX_VALUE ? VIRTUAL_CONCURRENCY : Math.max(1, maxRunning / 4);
        return set == 0 ? byDefault : set;
    }

    /** The session store; null if sessions are kept in memory only. */
    public @Nullable SessionStore store() {
        return place.store();
    }

    /** What servers share beside sessions; null if nothing. */
    @Nullable
    SessionStore values() {
        return place.values();
    }
}

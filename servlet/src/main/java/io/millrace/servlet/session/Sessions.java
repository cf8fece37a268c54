package io.millrace.servlet.session;

import io.millrace.ServerContext;
import io.millrace.http.Headers;
import io.millrace.http.RequestHead;
import io.millrace.metrics.MetricGroup;
import io.millrace.servlet.cookie.CookieWriter;
import io.millrace.servlet.model.SessionConfigModel;
import io.millrace.servlet.session.SessionSettings.Keeping;
import io.millrace.servlet.session.store.SharedMap;
import io.millrace.servlet.uri.ContextPath;
import java.io.IOException;
import java.time.Duration;
import java.util.EventListener;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import javax.servlet.ServletContext;
import javax.servlet.SessionTrackingMode;
import org.jspecify.annotations.Nullable;

/** The sessions of one web application. Thread-safe. */
public final class Sessions {

    private static final Duration SWEEP_PERIOD = Duration.ofSeconds(10);

    /** Ids whose access the store is to be told of; clients can send any number of invented ones, so more are ignored. */
    private static final int MAX_ACCESSES = 10_000;

    private final SessionListeners listeners = new SessionListeners();
    private final ServletContext context;
    private final SessionSettings settings;
    private final SessionIds ids;
    private final SessionTracking tracking;
    private final LongSupplier clock;
    private final SessionSweep sweep;
    private final SessionHome home;
    private final @Nullable StoreGuard store;
    private final @Nullable SharedValues values;
    private final @Nullable StoreQueue<Long> accesses;
    private final boolean distributable;
    private final SessionStatistics statistics = new SessionStatistics();
    private final MetricGroup metrics;
    private final @Nullable CrawlerSessions crawlers;
    private @Nullable SessionCodec codec;
    private volatile @Nullable SessionGroups groups;
    private volatile int timeoutMinutes;

    /**
     * No sessions yet. Configurable until {@link #start}.
     *
     * @param jvmRoute appended to each id after a dot, for load balancers; null for none
     * @param distributable true if the application declares that its sessions may leave this server (Servlet 3.1, 7.7.2)
     */
    public Sessions(
            ServletContext context,
            SessionConfigModel model,
            SessionSettings settings,
            CookieWriter cookies,
            @Nullable String jvmRoute,
            boolean distributable,
            ServerContext server) {
        this(context, model, settings, cookies, jvmRoute, distributable, server, server.timers()::currentTimeMillis);
    }

    /**
     * For tests: with a clock.
     *
     * @param clock milliseconds since 1970
     */
    Sessions(
            ServletContext context,
            SessionConfigModel model,
            SessionSettings given,
            CookieWriter cookies,
            @Nullable String jvmRoute,
            boolean distributable,
            ServerContext server,
            LongSupplier clock) {
        this.context = context;
        this.settings = given.of(distributable);
        this.clock = clock;
        this.distributable = distributable;
        ids = new SessionIds(jvmRoute, settings.get(SessionSettings.SESSION_ID_LENGTH));
        tracking = new SessionTracking(context, model, settings, cookies);
        metrics = server.metrics();
        sweep = new SessionSweep(server, SWEEP_PERIOD, this::sweep);
        timeoutMinutes = model.timeoutMinutes;
        CrawlerRule rule = canBeGrouped() ? settings.crawlers() : null;
        crawlers = rule == null ? null : new CrawlerSessions(rule);
        StoreGuard guard =
                settings.store() == null ? null : new StoreGuard(settings.store(), application(), settings, server);
        store = guard;
        values = SharedValues.of(settings.values(), application(), server.timers());
        home = SessionHome.of(this, guard, values, settings, jvmRoute, server);
        accesses = guard == null
                ? null
                : new StoreQueue<>(guard, server, Duration.ZERO, MAX_ACCESSES, Math::max, guard::touch);
    }

    /** How session ids are sent. */
    public SessionTracking tracking() {
        return tracking;
    }

    /** The idle timeout of new sessions in minutes; 0 or less for none. */
    public int timeoutMinutes() {
        return timeoutMinutes;
    }

    /**
     * Sets the idle timeout of new sessions.
     *
     * @throws IllegalStateException after {@link #start}
     */
    public void timeoutMinutes(int minutes) {
        tracking.checkNotFixed("the session timeout");
        timeoutMinutes = minutes;
    }

    /** Adds an HttpSessionListener, HttpSessionAttributeListener or HttpSessionIdListener; ignores others. */
    public void addListener(EventListener listener) {
        listeners.add(listener);
    }

    /** Ends the configuration, after context listeners have been notified. */
    public void start() {
        tracking.fix();
        statistics.addTo(metrics, home::count);
        if (store != null) {
            store.statistics().addTo(metrics);
        }
        if (settings.isSharedIfDistributable()) {
            SessionLog.LOG.notDistributable(application());
        }
        if (store != null && settings.keeping().isShared()) {
            store.begin();
        }
        if (home.mayHaveAny()) {
            watch();
        }
    }

    /** Ends all sessions and notifies their listeners, or stores them for the next start. */
    public void stop() {
        sweep.stop();
        try {
            home.stop();
        } finally {
            if (accesses != null) {
                accesses.stop();
            }
            try {
                if (values != null) {
                    values.close();
                }
            } finally {
                if (store != null) {
                    store.close();
                }
            }
        }
    }

    /** The session of a request. */
    public RequestSession of(SessionCarrier carrier) {
        return new RequestSession(this, carrier, null);
    }

    /** The session of a request that another application of the host dispatched to this one. */
    public RequestSession of(SessionCarrier carrier, RequestSession there) {
        return new RequestSession(this, carrier, there);
    }

    /** The number of sessions in this server's memory. */
    public int count() {
        return home.count();
    }

    /** How long each session in this server's memory has not been used, in milliseconds; 0 for one in use. */
    public List<Long> idleMillis() {
        return home.live().stream()
                .filter(session -> session.life().isAlive())
                .map(session -> session.life().isInUse()
                        ? 0
                        : Math.max(0, now() - session.life().lastUsed()))
                .toList();
    }

    /**
     * Ends the sessions in this server's memory that have not been used for long.
     *
     * @param millis how long, in milliseconds
     * @return how many have ended
     */
    public int expire(long millis) {
        return inContext(() -> {
            int ended = 0;
            for (LiveSession session : home.live()) {
                if (session.life().lastUsed() <= now() - millis
                        && session.life().invalidate()) {
                    end(session);
                    ended++;
                }
            }
            return ended;
        });
    }

    /**
     * Ends a session, as its application does.
     *
     * @param id with the route of this server, or without
     * @return false if there is none with this id
     * @throws SessionUnavailableException if the store cannot be read or written
     */
    public boolean end(String id) {
        return inContext(() -> {
            LiveSession session = enter(id);
            if (session == null) {
                return false;
            }
            try {
                session.invalidate();
            } finally {
                leave(session);
            }
            return true;
        });
    }

    /** What has been counted of sessions since the application started. */
    public SessionStatistics statistics() {
        return statistics;
    }

    /** The most sessions that there may be at a time; -1 for no limit. */
    public int maxActive() {
        return settings.get(SessionSettings.MAX_ACTIVE_SESSIONS);
    }

    /** Whether there is a session, in memory or in the store, or if the store fails. May block. */
    public boolean hasAny() {
        try {
            return home.count() > 0 || store != null && !store.isEmpty();
        } catch (IOException e) {
            store.failed(e);
            return true;
        }
    }

    /** Calls of the session store; null if sessions are kept in memory only. */
    public @Nullable StoreStatistics storeStatistics() {
        return store == null ? null : store.statistics();
    }

    /** What servers share beside the sessions; null if nothing. */
    public @Nullable SharedMap values() {
        return values == null ? null : values.map();
    }

    /** The name of the shared store that does not answer now, so that no request gets a session; null if all is well. */
    public @Nullable String failingStore() {
        return store != null && settings.keeping() == Keeping.SHARED && store.isOpen() ? store.toString() : null;
    }

    /** Whether a session may be in a store, so that looking for it costs a call. */
    public boolean isStored() {
        return store != null;
    }

    /** False if there is certainly no session, so that no id can be valid. */
    public boolean mayHaveAny() {
        return home.mayHaveAny();
    }

    /**
     * Records the access by a new request to sessions in memory, whether it will use them or not (Servlet 3.1, 7.6). Never
     * blocks.
     */
    public void access(RequestHead head) {
        if (RequestedIds.mayBeIn(head) && home.mayHaveAny()) {
            RequestedIds.of(head, tracking, id -> home.touch(SessionIds.key(id)));
        }
    }

    /** Records, on a worker, the access in the store by a request that did not use its session. Never blocks. */
    public void accessInStore(RequestHead head) {
        StoreQueue<Long> storeAccesses = accesses;
        if (storeAccesses != null && RequestedIds.mayBeIn(head)) {
            RequestedIds.of(head, tracking, id -> {
                String key = SessionIds.key(id);
                if (!home.touch(key)) {
                    storeAccesses.add(key, now());
                }
            });
        }
    }

    /**
     * Creates a session, in use by the request that asked for it.
     *
     * @param givenKey the id of the TLS session, or the key of the session in the dispatching application; null to generate one
     * @throws IllegalStateException if there are {@code maxActiveSessions}
     * @throws SessionUnavailableException if it could not be stored
     */
    LiveSession create(@Nullable String givenKey) {
        home.requireAvailable();
        int most = settings.get(SessionSettings.MAX_ACTIVE_SESSIONS);
        if (most >= 0 && home.count() >= most) {
            statistics.addRejected();
            throw new IllegalStateException("getSession: there are " + home.count()
                    + " sessions, and maxActiveSessions is " + most + "; no session can be created now");
        }
        LiveSession session = givenKey == null ? added(ids.nextKey()) : enteredOrAdded(givenKey);
        if (session.life().isNew()) {
            statistics.addCreated(home.count());
            boolean watched = false;
            try {
                listeners.created(session);
                watch();
                watched = true;
            } finally {
                if (!watched) {
                    leave(session); // the request does not get it
                }
            }
        }
        return session;
    }

    private LiveSession added(String key) {
        LiveSession session = LiveSession.begun(this, key, timeoutSeconds());
        home.add(session);
        return session;
    }

    /** Synchronized, as requests of one TLS session may be concurrent. */
    private synchronized LiveSession enteredOrAdded(String key) {
        LiveSession other = home.enter(key, false);
        return other == null ? added(key) : other;
    }

    /** The timeout in seconds, at most 68 years; -1 for none. */
    int timeoutSeconds() {
        return timeoutMinutes <= 0 ? -1 : (int) Math.min(Integer.MAX_VALUE, timeoutMinutes * 60L);
    }

    /** Records that a request did not get its session. */
    void requestFailed(IOException reason) {
        if (store != null) {
            store.requestFailed(reason);
        }
    }

    /** Begins the use of a session by a request; null if there is no session with this id. */
    @Nullable
    LiveSession enter(String id) {
        LiveSession entered = home.enter(SessionIds.key(id), ids.isOurs(id));
        return entered == null || isAdmitted(entered) ? entered : null;
    }

    /** False if the session's group has ended on another server: then it has ended, too. */
    private boolean isAdmitted(LiveSession session) {
        boolean admitted = false;
        try {
            admitted = !session.isOfEndedGroup();
            if (!admitted) {
                session.invalidate();
            }
            return admitted;
        } catch (IllegalStateException ended) { // by another request, just now
            return false;
        } finally {
            if (!admitted) {
                leave(session);
            }
        }
    }

    void leave(LiveSession session) {
        home.leave(session);
    }

    void rename(LiveSession session, @Nullable String givenKey) {
        String old = session.getId();
        home.rename(session, givenKey == null ? ids.nextKey() : givenKey);
        listeners.idChanged(session, old);
    }

    /**
     * Ends a session. Called by the thread whose {@linkplain SessionLife#invalidate invalidate} succeeded.
     *
     * @throws SessionUnavailableException if it has ended here, but possibly not yet on other servers
     */
    void end(LiveSession session) {
        session.membership().leave();
        boolean isOurs = true;
        try {
            isOurs = home.close(session);
        } finally {
            if (isOurs) { // or the store has failed
                notifyEnd(session);
            } else {
                session.life().end(); // another server has notified its listeners
            }
        }
    }

    /** Notifies the listeners of a session that no request finds any more, and removes its attributes. */
    void notifyEnd(LiveSession session) {
        statistics.addEnded(now() - session.life().created());
        try {
            listeners.destroyed(session);
            session.attributes().clear();
        } finally {
            session.life().end();
            home.ended(session);
        }
    }

    ServletContext context() {
        return context;
    }

    /** The context path for display. */
    String application() {
        String path = ContextPath.decoded(context);
        return path.isEmpty() ? "/" : path;
    }

    long now() {
        return clock.getAsLong();
    }

    String id(String key) {
        return tracking.by(SessionTrackingMode.SSL) ? key : ids.id(key);
    }

    SessionAttributes attributesOf(LiveSession session) {
        return new SessionAttributes(
                session, listeners, codec(), settings.keeping().isShared());
    }

    /** Created on first use, because the context has no class loader yet when this object is created. */
    synchronized SessionCodec codec() {
        if (codec == null) {
            ClassLoader loader = context.getClassLoader();
            codec = new SessionCodec(application(), loader, new SessionClasses(loader, settings));
        }
        return codec;
    }

    /** Sets the groups of which sessions that other servers have can be members. Before {@link #start}. */
    public void groups(@Nullable SessionGroups named) {
        groups = named;
    }

    @Nullable
    SessionGroups groups() {
        return groups;
    }

    /** Whether sessions stay in this server's memory, so that they can be members of any {@link SessionGroup}. */
    public boolean canBeGrouped() {
        return !settings.keeping().isShared();
    }

    /** The sessions of crawlers; null if crawlers are treated like other clients. */
    @Nullable
    CrawlerSessions crawlers() {
        return crawlers;
    }

    boolean keepsLogins() {
        return settings.keeping().isShared() || settings.get(SessionSettings.PERSIST_AUTHENTICATION);
    }

    /**
     * Rejects values that a distributable application can't send to another server (Servlet 3.1, 7.7.2).
     *
     * @throws IllegalArgumentException if it is not serializable
     */
    void requireStorable(@Nullable String name, Object value) {
        if (distributable && !(value instanceof java.io.Serializable)) {
            throw new IllegalArgumentException("setAttribute: the application is distributable, and the value of \""
                    + name + "\" is of " + value.getClass().getName() + ", which is not Serializable");
        }
    }

    /** Schedules the sweep, as there are sessions that may expire. */
    void watch() {
        sweep.arm();
    }

    /** Ends expired sessions. */
    void sweep() {
        long begin = System.nanoTime();
        try {
            inContext(() -> {
                home.sweep();
                return true;
            });
        } finally {
            statistics.addSweep(System.nanoTime() - begin);
            if (home.mayHaveAny()) {
                watch();
            }
        }
    }

    /** What calls the application. */
    interface Task<T, E extends Exception> {
        T run() throws E;
    }

    /** Runs a task that notifies listeners, or serializes, with the application's class loader. */
    <T, E extends Exception> T inContext(Task<T, E> task) throws E {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(context.getClassLoader());
        try {
            return task.run();
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /** Finds the session ids in a request without parsing its cookies. Used only to keep sessions alive, as the ids may be invalid. */
    private static final class RequestedIds {

        private RequestedIds() {}

        /** A fast check: false for most requests without a session. */
        static boolean mayBeIn(RequestHead head) {
            return head.headers().get("Cookie") != null || head.path().parameters() != null;
        }

        static void of(RequestHead head, SessionTracking tracking, Consumer<String> found) {
            if (tracking.by(SessionTrackingMode.COOKIE)) {
                Headers headers = head.headers();
                String start = tracking.cookieName() + "=";
                for (int i = 0; i < headers.size(); i++) {
                    if (headers.name(i).equalsIgnoreCase("Cookie")) {
                        inCookies(headers.value(i), start, found);
                    }
                }
            }
            if (tracking.by(SessionTrackingMode.URL)) {
                inPath(head.path().parameters(), tracking.urlParameter(), found);
            }
        }

        private static void inCookies(String field, String start, Consumer<String> found) {
            for (int at = field.indexOf(start); at >= 0; at = field.indexOf(start, at + start.length())) {
                if (at == 0 || "; \t,".indexOf(field.charAt(at - 1)) >= 0) {
                    int value = at + start.length();
                    int end = value;
                    while (end < field.length() && "; \t,".indexOf(field.charAt(end)) < 0) {
                        end++;
                    }
                    offer(unquoted(field.substring(value, end)), found);
                }
            }
        }

        private static void inPath(@Nullable String parameters, String start, Consumer<String> found) {
            int at = parameters == null ? -1 : parameters.indexOf(start);
            if (parameters != null && at >= 0) {
                int value = at + start.length();
                int end = parameters.indexOf(';', value);
                offer(parameters.substring(value, end < 0 ? parameters.length() : end), found);
            }
        }

        private static String unquoted(String value) {
            boolean quoted = value.length() > 1 && value.startsWith("\"") && value.endsWith("\"");
            return quoted ? value.substring(1, value.length() - 1) : value;
        }

        private static void offer(String id, Consumer<String> found) {
            if (!id.isEmpty()) {
                found.accept(id);
            }
        }
    }
}

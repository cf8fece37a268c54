package io.millrace.servlet.session;

import io.millrace.ServerContext;
import io.millrace.http.RequestHead;
import io.millrace.servlet.cookie.CookieWriter;
import io.millrace.servlet.model.SessionConfigModel;
import io.millrace.servlet.session.SessionSettings.Keeping;
import io.millrace.servlet.session.store.SessionStore;
import java.io.IOException;
import java.time.Duration;
import java.util.EventListener;
import java.util.function.LongSupplier;
import javax.servlet.ServletContext;
import javax.servlet.SessionTrackingMode;
import org.jspecify.annotations.Nullable;

/** The sessions of one web application. Any thread. */
public final class Sessions {

    private static final Duration SWEEP_PERIOD = Duration.ofSeconds(10);

    private final SessionListeners listeners = new SessionListeners();
    private final ServletContext context;
    private final SessionSettings settings;
    private final SessionIds ids;
    private final SessionTracking tracking;
    private final LongSupplier clock;
    private final SessionSweep sweep;
    private final SessionHome home;
    private final @Nullable StoreAccesses accesses;
    private final boolean distributable;
    private final @Nullable CrawlerSessions crawlers;
    private @Nullable SessionCodec codec;
    private volatile int timeoutMinutes;

    /**
     * None yet. Configurable until {@link #start}.
     *
     * @param jvmRoute appended to each id after a dot, for load balancers; null: none
     * @param distributable the application says that its sessions may leave this server (Servlet 3.1, 7.7.2)
     */
    public Sessions(
            ServletContext context,
            SessionConfigModel model,
            SessionSettings settings,
            CookieWriter cookies,
            @Nullable String jvmRoute,
            boolean distributable,
            ServerContext server) {
        this(context, model, settings, cookies, jvmRoute, distributable, server, System::currentTimeMillis);
    }

    /**
     * With a clock of its own.
     *
     * @param clock milliseconds since 1970
     */
    Sessions(
            ServletContext context,
            SessionConfigModel model,
            SessionSettings settings,
            CookieWriter cookies,
            @Nullable String jvmRoute,
            boolean distributable,
            ServerContext server,
            LongSupplier clock) {
        this.context = context;
        this.settings = settings;
        this.clock = clock;
        this.distributable = distributable;
        ids = new SessionIds(jvmRoute, settings.get(SessionSettings.SESSION_ID_LENGTH));
        tracking = new SessionTracking(context, model, settings, cookies);
        sweep = new SessionSweep(server, SWEEP_PERIOD, this::sweep);
        timeoutMinutes = model.timeoutMinutes;
        CrawlerRule rule = canBeGrouped() ? settings.crawlers() : null;
        crawlers = rule == null ? null : new CrawlerSessions(rule);
        home = home(settings.store());
        accesses = settings.store() == null ? null : new StoreAccesses(this, settings.store(), server.workers());
    }

    private SessionHome home(@Nullable SessionStore store) {
        if (store == null) {
            return new LocalSessions(this, null);
        }
        return settings.keeping() == Keeping.SHARED
                ? new SharedSessions(this, store)
                : new LocalSessions(this, new SessionPassivation(this, store, settings));
    }

    /** How clients carry the id. */
    public SessionTracking tracking() {
        return tracking;
    }

    /** Minutes without a request after which a new session ends; 0 or less: never. */
    public int timeoutMinutes() {
        return timeoutMinutes;
    }

    /**
     * Changes it for sessions to come.
     *
     * @throws IllegalStateException after {@link #start}
     */
    public void timeoutMinutes(int minutes) {
        tracking.checkNotFixed("the session timeout");
        timeoutMinutes = minutes;
    }

    /** Takes HttpSessionListener, HttpSessionAttributeListener and HttpSessionIdListener; ignores others. In order. */
    public void addListener(EventListener listener) {
        listeners.add(listener);
    }

    /** The context's listeners have been notified: configuration is fixed from here on. */
    public void start() {
        tracking.fix();
        if (home.mayHaveAny()) {
            watch();
        }
    }

    /** Ends all sessions and tells their listeners, or puts them where they outlast the application. */
    public void stop() {
        sweep.stop();
        home.stop();
    }

    /** A request's view. */
    public RequestSession of(SessionCarrier carrier) {
        return new RequestSession(this, carrier, null);
    }

    /** The view of a request that came to another application of the host and was passed on to this one. */
    public RequestSession of(SessionCarrier carrier, RequestSession there) {
        return new RequestSession(this, carrier, there);
    }

    /** Sessions in this server's memory. */
    public int count() {
        return home.count();
    }

    /** Is there one, in memory or in the store? True where that is not known. May block. */
    public boolean hasAny() {
        SessionStore store = settings.store();
        try {
            return home.count() > 0 || store != null && !store.isEmpty();
        } catch (IOException e) {
            SessionLog.LOG.storeFailed(application(), e);
            return true;
        }
    }

    /** False if no id that a client brings can be valid. */
    public boolean mayHaveAny() {
        return home.mayHaveAny();
    }

    /**
     * A request begins: sessions in memory whose ids it brings go on living, whether it will use them or not (Servlet 3.1,
     * 7.6). Never blocks.
     */
    public void access(RequestHead head) {
        if (BroughtIds.mayBeIn(head) && home.mayHaveAny()) {
            BroughtIds.of(head, tracking, id -> home.touch(SessionIds.key(id)));
        }
    }

    /**
     * A request has asked for no session and will ask for none: a store that has the one whose id it brings is told of the
     * access, by a worker. Never blocks.
     */
    public void accessInStore(RequestHead head) {
        StoreAccesses noted = accesses;
        if (noted != null && BroughtIds.mayBeIn(head)) {
            BroughtIds.of(head, tracking, id -> {
                String key = SessionIds.key(id);
                if (!home.touch(key)) {
                    noted.note(key, now());
                }
            });
        }
    }

    /**
     * A new session, used by the request that asked for it.
     *
     * @param givenKey the TLS session's id if that is the key, or the key of the session in the application that the
     *     request came from; null to make one up
     * @throws IllegalStateException if there are too many
     */
    LiveSession create(@Nullable String givenKey) {
        int most = settings.get(SessionSettings.MAX_ACTIVE_SESSIONS);
        if (most >= 0 && home.count() >= most) {
            throw new IllegalStateException("There are " + home.count() + " sessions, and maxActiveSessions is " + most
                    + ": no session can be made now.");
        }
        LiveSession session = givenKey == null ? added(ids.nextKey()) : enteredOrAdded(givenKey);
        if (session.life().isNew()) {
            boolean watched = false;
            try {
                listeners.created(session);
                watch();
                watched = true;
            } finally {
                if (!watched) {
                    leave(session); // no request has it
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

    /** Two requests of one TLS session may come at once. */
    private synchronized LiveSession enteredOrAdded(String key) {
        LiveSession other = home.enter(key);
        return other == null ? added(key) : other;
    }

    /** An int of seconds holds 68 years; more minutes than that mean "never" as well. */
    private int timeoutSeconds() {
        return timeoutMinutes <= 0 ? -1 : (int) Math.min(Integer.MAX_VALUE, timeoutMinutes * 60L);
    }

    /** The session of this id, used by one more request from here on. */
    @Nullable
    LiveSession enter(String id) {
        return home.enter(SessionIds.key(id));
    }

    void leave(LiveSession session) {
        home.leave(session);
    }

    void rename(LiveSession session, @Nullable String givenKey) {
        String old = session.getId();
        home.rename(session, givenKey == null ? ids.nextKey() : givenKey);
        listeners.idChanged(session, old);
    }

    /** Called by the one who {@linkplain SessionLife#invalidate won the right to}. */
    void end(LiveSession session) {
        session.membership().leave();
        if (home.close(session)) {
            tellEnd(session);
        } else {
            session.life().end(); // another server has notified its listeners
        }
    }

    /** No request finds it any more. */
    void tellEnd(LiveSession session) {
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

    /** Its path as people read it. */
    String application() {
        String path = context.getContextPath();
        return path.isEmpty() ? "/" : path;
    }

    long now() {
        return clock.getAsLong();
    }

    String id(String key) {
        return tracking.by(SessionTrackingMode.SSL) ? key : ids.id(key);
    }

    SessionAttributes attributesOf(LiveSession session) {
        return new SessionAttributes(session, listeners, codec(), settings.keeping() == Keeping.SHARED);
    }

    /** Made when first needed: a context that is being made has no class loader yet. */
    synchronized SessionCodec codec() {
        if (codec == null) {
            ClassLoader loader = context.getClassLoader();
            codec = new SessionCodec(application(), loader, new SessionClasses(loader, settings));
        }
        return codec;
    }

    /** Are they in memory from their beginning to their end, so that they can be in a {@link SessionGroup}? */
    public boolean canBeGrouped() {
        return settings.keeping() != Keeping.SHARED;
    }

    /** Null if crawlers are clients as others. */
    @Nullable
    CrawlerSessions crawlers() {
        return crawlers;
    }

    boolean keepsLogins() {
        return settings.keeping() == Keeping.SHARED || settings.get(SessionSettings.PERSIST_AUTHENTICATION);
    }

    /**
     * Servlet 3.1, 7.7.2: a distributable application learns at once that an object can't leave this server.
     *
     * @throws IllegalArgumentException if it can't
     */
    void requireStorable(@Nullable String name, Object value) {
        if (distributable && !(value instanceof java.io.Serializable)) {
            throw new IllegalArgumentException("setAttribute: the application is distributable, and the value of \""
                    + name + "\" is of " + value.getClass().getName() + ", which is not Serializable.");
        }
    }

    /** There are sessions that may expire. */
    void watch() {
        sweep.arm();
    }

    /** Ends those that were idle for too long. */
    void sweep() {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(context.getClassLoader());
        try {
            home.sweep();
        } finally {
            thread.setContextClassLoader(before);
            if (home.mayHaveAny()) {
                watch();
            }
        }
    }
}

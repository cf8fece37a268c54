package io.millrace.servlet.session;

import io.millrace.ServerContext;
import io.millrace.servlet.cookie.CookieWriter;
import io.millrace.servlet.model.SessionConfigModel;
import java.util.EnumSet;
import java.util.EventListener;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import javax.servlet.ServletContext;
import javax.servlet.SessionCookieConfig;
import javax.servlet.SessionTrackingMode;
import org.jspecify.annotations.Nullable;

/** The sessions of one web application, in memory. Any thread. */
public final class Sessions {

    private static final Set<SessionTrackingMode> DEFAULT_MODES =
            Set.of(SessionTrackingMode.COOKIE, SessionTrackingMode.URL);

    private final Map<String, LiveSession> live = new ConcurrentHashMap<>();
    private final SessionListeners listeners = new SessionListeners();
    private final ServletContext context;
    private final SessionCookieSettings cookie;
    private final CookieWriter cookies;
    private final SessionIds ids;
    private final LongSupplier clock;
    private final SessionSweep sweep;
    private volatile Set<SessionTrackingMode> modes;
    private volatile int timeoutMinutes;
    private volatile boolean started;

    /**
     * None yet. Configurable until {@link #start}.
     *
     * @param jvmRoute appended to each id after a dot, for load balancers; null: none
     */
    public Sessions(
            ServletContext context,
            SessionConfigModel model,
            CookieWriter cookies,
            @Nullable String jvmRoute,
            ServerContext server) {
        this(context, model, cookies, jvmRoute, server, System::currentTimeMillis);
    }

    /**
     * With a clock of its own.
     *
     * @param clock milliseconds since 1970
     */
    Sessions(
            ServletContext context,
            SessionConfigModel model,
            CookieWriter cookies,
            @Nullable String jvmRoute,
            ServerContext server,
            LongSupplier clock) {
        this.context = context;
        this.cookies = cookies;
        this.clock = clock;
        cookie = new SessionCookieSettings(model);
        ids = new SessionIds(jvmRoute);
        sweep = new SessionSweep(server, this::sweep);
        timeoutMinutes = model.timeoutMinutes;
        modes = modes(model.trackingModes);
    }

    /** As ServletContext has it; refuses changes after {@link #start}. */
    public SessionCookieConfig cookieConfig() {
        return cookie;
    }

    public Set<SessionTrackingMode> defaultTrackingModes() {
        return DEFAULT_MODES;
    }

    public Set<SessionTrackingMode> trackingModes() {
        return modes;
    }

    /**
     * How clients carry the id.
     *
     * @throws IllegalStateException after {@link #start}
     * @throws IllegalArgumentException for SSL, which is not supported
     */
    public void trackingModes(Set<SessionTrackingMode> newModes) {
        checkNotStarted("session tracking modes");
        if (newModes.contains(SessionTrackingMode.SSL)) {
            throw new IllegalArgumentException("Session tracking mode SSL is not supported: use COOKIE or URL.");
        }
        modes = Set.copyOf(newModes);
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
        checkNotStarted("the session timeout");
        timeoutMinutes = minutes;
    }

    /** Takes HttpSessionListener, HttpSessionAttributeListener and HttpSessionIdListener; ignores others. In order. */
    public void addListener(EventListener listener) {
        listeners.add(listener);
    }

    /** The context's listeners have been told: configuration is fixed from here on. */
    public void start() {
        started = true;
        cookie.fix();
    }

    /** Ends all sessions and tells their listeners. */
    public void stop() {
        for (LiveSession session : live.values()) {
            if (session.life().invalidate()) {
                end(session);
            }
        }
    }

    /** A request's view. */
    public RequestSession of(SessionCarrier carrier) {
        return new RequestSession(this, carrier);
    }

    /** Sessions alive. */
    public int count() {
        return live.size();
    }

    LiveSession create() {
        // an int of seconds holds 68 years; more minutes than that mean "never" as well
        long seconds = timeoutMinutes <= 0 ? -1 : Math.min(Integer.MAX_VALUE, timeoutMinutes * 60L);
        String id = ids.next();
        LiveSession session = new LiveSession(this, listeners, id, new SessionLife(now(), (int) seconds));
        live.put(id, session);
        sweep.arm();
        listeners.created(session);
        return session;
    }

    /** The session of this id, used by one more request from here on. */
    @Nullable
    LiveSession enter(String id) {
        LiveSession session = live.get(id);
        if (session == null || session.life().enter(now())) {
            return session;
        }
        if (session.life().expire(now())) {
            end(session);
        }
        return null;
    }

    void rename(LiveSession session) {
        String old;
        synchronized (session) {
            old = session.getId();
            String id = ids.next();
            session.id(id);
            live.put(id, session);
            live.remove(old);
        }
        forgetIfEnding(session);
        listeners.idChanged(session, old);
    }

    /** Called by the one who {@linkplain SessionLife#invalidate won the right to}. */
    void end(LiveSession session) {
        listeners.destroyed(session);
        session.attributes().clear();
        session.life().end();
        forgetIfEnding(session);
    }

    /** By whoever comes last, renaming or ending: no entry stays behind. */
    private void forgetIfEnding(LiveSession session) {
        synchronized (session) {
            if (!session.life().isAlive()) {
                live.remove(session.getId());
            }
        }
    }

    ServletContext context() {
        return context;
    }

    long now() {
        return clock.getAsLong();
    }

    boolean tracks(SessionTrackingMode mode) {
        return modes.contains(mode);
    }

    String cookieName() {
        return cookie.cookieName();
    }

    /** With the semicolon before and the equals sign after it. */
    String urlParameter() {
        return ";" + cookie.urlName() + "=";
    }

    SessionLink link(String requestUrl) {
        return new SessionLink(urlParameter(), context.getContextPath(), requestUrl);
    }

    String setCookie(String id, boolean secureRequest) {
        return cookies.write(cookie.cookie(id, context.getContextPath(), secureRequest));
    }

    /** Ends those that were idle for too long. */
    void sweep() {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(context.getClassLoader());
        try {
            for (LiveSession session : live.values()) {
                if (session.life().expire(now())) {
                    end(session);
                }
            }
        } finally {
            thread.setContextClassLoader(before);
            if (!live.isEmpty()) {
                sweep.arm();
            }
        }
    }

    private Set<SessionTrackingMode> modes(Set<SessionTrackingMode> wanted) {
        if (wanted.isEmpty()) {
            return DEFAULT_MODES;
        }
        if (!wanted.contains(SessionTrackingMode.SSL)) {
            return Set.copyOf(wanted);
        }
        SessionLog.LOG.sslTracking(context.getContextPath());
        cookie.setSecure(true);
        return EnumSet.of(SessionTrackingMode.COOKIE);
    }

    private void checkNotStarted(String what) {
        if (started) {
            throw new IllegalStateException("The application has started: " + what + " can't be changed any more.");
        }
    }
}

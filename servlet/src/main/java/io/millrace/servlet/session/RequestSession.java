package io.millrace.servlet.session;

import io.millrace.http.Headers;
import io.millrace.servlet.cookie.CookieWriter;
import java.util.Objects;
import java.util.function.Supplier;
import javax.servlet.SessionTrackingMode;
import javax.servlet.http.Cookie;
import javax.servlet.http.HttpSession;
import org.jspecify.annotations.Nullable;

/**
 * The session of a request, looked up at the first call. Not thread-safe. If another application dispatched the request to this
 * one, its session here has the key of its session there, because the client sends only that, as in Tomcat.
 */
public final class RequestSession {

    private final Sessions sessions;
    private final SessionTracking tracking;
    private final SessionCarrier carrier;
    /** The session in the application that the request was mapped to; null if that is this one. */
    private final @Nullable RequestSession there;

    private boolean resolved;
    private boolean closed;
    /** Whether the store did not answer, so that the request is counted once. */
    private boolean failed;

    private @Nullable String requestedId;
    private @Nullable SessionTrackingMode from;
    private @Nullable LiveSession session;

    RequestSession(Sessions sessions, SessionCarrier carrier, @Nullable RequestSession there) {
        this.sessions = sessions;
        tracking = sessions.tracking();
        this.carrier = carrier;
        this.there = there;
    }

    /**
     * Returns the session. May block in the session store.
     *
     * @param create creates a session if there is none, and sets its cookie
     * @return null if there is none and {@code create} is false
     * @throws IllegalStateException if a session has to be created after the response has been committed or the request has
     *     ended, or if the application has as many as {@code maxActiveSessions}
     * @throws SessionUnavailableException if the session store does not answer
     */
    public @Nullable HttpSession get(boolean create) {
        LiveSession current = current();
        if (current != null || !create) {
            return current;
        }
        if (closed) {
            throw new IllegalStateException("getSession: a session cannot be created after the request has ended");
        }
        if (there != null) {
            leave();
            String key = SessionIds.key(there.made().getId());
            session = counted(() -> sessions.create(key));
            return session;
        }
        boolean byCookie = tracking.by(SessionTrackingMode.COOKIE);
        if (byCookie && carrier.isCommitted()) {
            throw new IllegalStateException(
                    "getSession: the response has been committed, so the cookie of a new session cannot be sent;"
                            + " call getSession before writing the response");
        }
        LiveSession made =
                counted(() -> sessions.create(tracking.by(SessionTrackingMode.SSL) ? carrier.tlsSessionId() : null));
        leave();
        session = made;
        CrawlerSessions crawlers = sessions.crawlers();
        if (crawlers != null) {
            crawlers.begun(carrier, made);
        }
        sendCookie(made);
        return made;
    }

    private HttpSession made() {
        return Objects.requireNonNull(get(true));
    }

    /** The session id that the client sent, valid or not; null if it sent none. */
    public @Nullable String requestedId() {
        resolve();
        return requestedId;
    }

    /** Whether the id that the client sent is that of the present session. */
    public boolean isRequestedIdValid() {
        LiveSession current = current();
        return current != null && requestedId != null && current.key().equals(SessionIds.key(requestedId));
    }

    public boolean isRequestedIdFromCookie() {
        return requestedId() != null && from == SessionTrackingMode.COOKIE;
    }

    public boolean isRequestedIdFromUrl() {
        return requestedId() != null && from == SessionTrackingMode.URL;
    }

    /** The session id for requests that are pushed with the response (Servlet 4.0, {@code newPushBuilder}). */
    public PushedSession pushed() {
        LiveSession current = current();
        String id = current == null || isRequestedIdValid() ? requestedId() : current.getId();
        boolean byCookie = tracking.by(SessionTrackingMode.COOKIE) && !isRequestedIdFromUrl();
        boolean byUrl = tracking.by(SessionTrackingMode.URL) && !byCookie;
        return new PushedSession(id, byCookie ? tracking.cookieName() : null, byUrl ? tracking.urlParameter() : null);
    }

    /**
     * Changes the id of the session, sets its cookie and notifies the listeners. The id of a session that is tracked by TLS
     * session is not changed.
     *
     * @return the new id
     * @throws IllegalStateException if there is no session
     */
    public String changeId() {
        LiveSession current = current();
        if (current == null) {
            throw new IllegalStateException("changeSessionId: the request has no session; call getSession first");
        }
        if (tracking.by(SessionTrackingMode.SSL)) {
            return current.getId(); // the id of the TLS session, which no other client can have
        }
        if (there != null) {
            String key = SessionIds.key(there.changeId());
            rename(current, key);
            return current.getId();
        }
        boolean wasRequested = isRequestedIdValid();
        rename(current, null);
        if (wasRequested) {
            // isRequestedSessionIdValid stays true, as in Tomcat
            requestedId = current.getId();
        }
        sendCookie(current);
        return current.getId();
    }

    private void rename(LiveSession current, @Nullable String key) {
        counted(() -> {
            sessions.rename(current, key);
            return current;
        });
    }

    /** The user who logged in during the session; null without a login or a session. */
    public @Nullable SessionLogin login() {
        LiveSession current = current();
        return current == null ? null : current.login();
    }

    /** Stores a login in the session, or removes it (null). Does nothing if there is no session. */
    public void login(@Nullable SessionLogin login) {
        LiveSession current = current();
        if (current != null) {
            current.login(login == null ? null : login.in(current.membership().group()));
        }
    }

    /** How long the session, or a new one, may be idle, in seconds; 0 or less: for ever. */
    public int maxIdleSeconds() {
        LiveSession current = current();
        return current == null ? sessions.timeoutSeconds() : current.life().maxIdleSeconds();
    }

    /** The session's group; null if it belongs to none. */
    public @Nullable SessionGroup group() {
        LiveSession current = current();
        return current == null ? null : current.membership().group();
    }

    /**
     * Adds the session to a group. Creates it if there is none; an existing one gets a new id, against session fixation.
     *
     * @return false if the session was not added: the group or the session has ended, or the response has been committed, so
     *     that its cookie cannot be set
     */
    public boolean join(SessionGroup group) {
        LiveSession known = current();
        if (known != null && group.equals(known.membership().group())) {
            return true;
        }
        if (closed || carrier.isCommitted()) {
            return false;
        }
        if (known == null) {
            get(true);
        } else {
            changeId();
        }
        LiveSession joining = current();
        return joining != null && joining.membership().join(group);
    }

    /** Implements {@code encodeURL}: adds the session id to a URL of the application, unless the client sends it in a cookie. */
    public String encode(String url) {
        LiveSession current = tracking.by(SessionTrackingMode.URL) ? current() : null;
        return current == null || isRequestedIdFromCookie()
                ? url
                : tracking.link(carrier.requestUrl()).encode(url, current.getId());
    }

    /** Implements {@code encodeRedirectURL}, by the rules of {@link #encode}. */
    public String encodeRedirect(String url) {
        return encode(url);
    }

    /**
     * Ends the use of the session by the request: its idle time begins. Called once per request, for an asynchronous one when it
     * completes. A request with a session id counts as an access even if the application did not call getSession (Servlet 3.1,
     * 7.6). May block in the session store, whose errors are logged.
     *
     * @throws SessionUnavailableException if the store has not taken what the request changed
     */
    public void end() {
        try {
            resolve();
        } catch (SessionUnavailableException counted) {
            // the request has failed, or did not need its session
        } finally {
            close();
            leave();
        }
    }

    /** Whether no one asked for the session, so that the store need not be read. */
    public boolean isUnused() {
        return !resolved;
    }

    /** Makes later calls find and create no session. */
    public void close() {
        closed = true;
    }

    private @Nullable LiveSession current() {
        resolve();
        return session != null && session.life().isAlive() ? session : null;
    }

    private void leave() {
        if (session != null) {
            LiveSession left = session;
            session = null;
            sessions.leave(left);
        }
    }

    /** Repeated by the next call if the store fails, so that an error page does not replace an existing session by a new one. */
    private void resolve() {
        if (resolved || closed) {
            return;
        }
        if (there != null) {
            resolveBy(there);
            return;
        }
        if (tracking.by(SessionTrackingMode.COOKIE)) {
            for (Cookie cookie : carrier.cookies()) {
                if (cookie.getName().equals(tracking.cookieName())) {
                    offer(cookie.getValue(), SessionTrackingMode.COOKIE);
                }
            }
        }
        if (tracking.by(SessionTrackingMode.URL)) {
            offer(fromPath(carrier.pathParameters()), SessionTrackingMode.URL);
        }
        if (tracking.by(SessionTrackingMode.SSL)) {
            offer(carrier.tlsSessionId(), SessionTrackingMode.SSL);
        }
        CrawlerSessions crawlers = sessions.crawlers();
        if (crawlers != null && session == null && tracking.by(SessionTrackingMode.COOKIE)) {
            offer(crawlers.idFor(carrier), SessionTrackingMode.COOKIE);
        }
        resolved = true;
        updateRoute();
    }

    private void resolveBy(RequestSession other) {
        LiveSession known = other.current();
        offer(known == null ? other.requestedId : known.getId(), SessionTrackingMode.COOKIE);
        from = other.from;
        resolved = true;
    }

    /** Browsers send several cookies if paths overlap: the first valid id counts; if none is valid, the last one, as in Tomcat. */
    private void offer(@Nullable String id, SessionTrackingMode mode) {
        if (session != null || id == null) {
            return;
        }
        session = counted(() -> sessions.enter(id));
        if (requestedId == null || session != null || mode == from) {
            requestedId = id;
            from = mode;
        }
    }

    /** Counts the request among those that the store failed, once. */
    private <T extends @Nullable Object> T counted(Supplier<T> call) {
        try {
            return call.get();
        } catch (SessionUnavailableException e) {
            if (!failed) {
                failed = true;
                sessions.requestFailed(Objects.requireNonNull(e.getCause()));
            }
            throw e;
        }
    }

    /** If the id has the route of another server, sends one with this server's, so that the balancer sends the client here. */
    private void updateRoute() {
        if (session != null
                && from == SessionTrackingMode.COOKIE
                && !session.getId().equals(requestedId)) {
            sendCookie(session);
        }
    }

    private @Nullable String fromPath(@Nullable String parameters) {
        String name = tracking.urlParameter();
        int at = parameters == null ? -1 : parameters.indexOf(name);
        if (parameters == null || at < 0) {
            return null;
        }
        int start = at + name.length();
        int end = parameters.indexOf(';', start);
        return parameters.substring(start, end < 0 ? parameters.length() : end);
    }

    /** Replaces the cookie of this name that the response may already have. */
    private void sendCookie(LiveSession current) {
        if (!tracking.by(SessionTrackingMode.COOKIE) || carrier.isCommitted()) {
            return;
        }
        Headers headers = carrier.responseHeaders();
        CookieWriter.withdraw(headers, tracking.cookieName());
        headers.add("Set-Cookie", tracking.setCookie(current.getId(), carrier.isSecure()));
    }
}

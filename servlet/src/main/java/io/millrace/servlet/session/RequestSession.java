package io.millrace.servlet.session;

import io.millrace.http.Headers;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import javax.servlet.SessionTrackingMode;
import javax.servlet.http.Cookie;
import javax.servlet.http.HttpSession;
import org.jspecify.annotations.Nullable;

/**
 * One request's view of its session. Costs nothing until asked. Not for two threads at once. A request that was passed on by
 * another application has its session here by the key of the one it has there, as in Tomcat: the client carries that only.
 */
public final class RequestSession {

    private final Sessions sessions;
    private final SessionTracking tracking;
    private final SessionCarrier carrier;
    /** Its view in the application that it came to; null if that is this one. */
    private final @Nullable RequestSession there;

    private boolean resolved;
    private boolean closed;
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
     * The session; if there is none, null or a new one, whose id is set as a cookie.
     *
     * @throws IllegalStateException if one had to be made after the response was committed, or the request has ended
     */
    public @Nullable HttpSession get(boolean create) {
        LiveSession current = current();
        if (current != null || !create) {
            return current;
        }
        if (closed) {
            throw new IllegalStateException("getSession() was called too late: the request has ended");
        }
        if (there != null) {
            leave();
            session = sessions.create(SessionIds.key(there.made().getId()));
            return session;
        }
        boolean byCookie = tracking.by(SessionTrackingMode.COOKIE);
        if (byCookie && carrier.isCommitted()) {
            throw new IllegalStateException(
                    "The response is committed: the cookie of a new session can't be sent any more.");
        }
        LiveSession made = sessions.create(tracking.by(SessionTrackingMode.SSL) ? carrier.tlsSessionId() : null);
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

    /** The id the client sent, valid or not. */
    public @Nullable String requestedId() {
        resolve();
        return requestedId;
    }

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

    /** What a request that is pushed along with the response has of the session (Servlet 4.0, newPushBuilder). */
    public PushedSession pushed() {
        LiveSession current = current();
        String id = current == null || isRequestedIdValid() ? requestedId() : current.getId();
        boolean byCookie = tracking.by(SessionTrackingMode.COOKIE) && !isRequestedIdFromUrl();
        boolean byUrl = tracking.by(SessionTrackingMode.URL) && !byCookie;
        return new PushedSession(id, byCookie ? tracking.cookieName() : null, byUrl ? tracking.urlParameter() : null);
    }

    /**
     * Gives the session a new id and tells the client and the listeners.
     *
     * @return the new id
     * @throws IllegalStateException if there is no session
     */
    public String changeId() {
        LiveSession current = current();
        if (current == null) {
            throw new IllegalStateException("changeSessionId: the request has no session.");
        }
        if (tracking.by(SessionTrackingMode.SSL)) {
            return current.getId(); // it is the TLS session's, which no other client can have
        }
        if (there != null) {
            sessions.rename(current, SessionIds.key(there.changeId()));
            return current.getId();
        }
        boolean wasRequested = isRequestedIdValid();
        sessions.rename(current, null);
        if (wasRequested) {
            // what the client sent is still its session (Tomcat answers so too)
            requestedId = current.getId();
        }
        sendCookie(current);
        return current.getId();
    }

    /** The user who logged in during the session; null without a login or a session. */
    public @Nullable SessionLogin login() {
        LiveSession current = current();
        return current == null ? null : current.login();
    }

    /** Remembers a login, or forgets it, if there is a session; never makes one. */
    public void login(@Nullable SessionLogin login) {
        LiveSession current = current();
        if (current != null) {
            current.login(login);
        }
    }

    /** The group that the session is in; null if it is in none. */
    public @Nullable SessionGroup group() {
        LiveSession current = current();
        return current == null ? null : current.membership().group();
    }

    /**
     * Puts the session, which is made if there is none, into a group. One that was there gets a new id: a planted one is worth
     * nothing then.
     *
     * @return false if it is in none now: the group or the session has ended, or the response is committed, so that the client
     *     could not be told of an id
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

    /** The URL with the session's id in it if the client needs that there; otherwise the URL (encodeURL). */
    public String encode(String url) {
        LiveSession current = tracking.by(SessionTrackingMode.URL) ? current() : null;
        return current == null || isRequestedIdFromCookie()
                ? url
                : tracking.link(carrier.requestUrl()).encode(url, current.getId());
    }

    /** The same for redirects (encodeRedirectURL). */
    public String encodeRedirect(String url) {
        return encode(url);
    }

    /**
     * The request is over: the session's idle time begins. Once per request, asynchronous ones when they end. A request
     * that brought a session's id counts even if the application never asked (Servlet 3.1, 7.6).
     */
    public void end() {
        try {
            resolve();
        } catch (UncheckedIOException e) {
            SessionLog.LOG.storeFailed(sessions.application(), e);
        } finally {
            close();
            leave();
        }
    }

    /** Uses no session from here on, and finds none. */
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

    /** Again and again while the store fails: an error page must not get a new session in place of one that is there. */
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
        tellRoute();
    }

    private void resolveBy(RequestSession other) {
        LiveSession known = other.current();
        offer(known == null ? other.requestedId : known.getId(), SessionTrackingMode.COOKIE);
        from = other.from;
        resolved = true;
    }

    /** The first id that is valid wins, as browsers send several cookies if paths overlap; if none is, the first. */
    private void offer(@Nullable String id, SessionTrackingMode mode) {
        if (session != null || id == null) {
            return;
        }
        session = sessions.enter(id);
        if (requestedId == null || session != null) {
            requestedId = id;
            from = mode;
        }
    }

    /** The load balancer sent the client here although its id names another server: it shall come here from now on. */
    private void tellRoute() {
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

    /** In place of one this response may have set before. */
    private void sendCookie(LiveSession current) {
        if (!tracking.by(SessionTrackingMode.COOKIE) || carrier.isCommitted()) {
            return;
        }
        Headers headers = carrier.responseHeaders();
        List<String> others = headers.all("Set-Cookie");
        headers.remove("Set-Cookie");
        for (String other : others) {
            if (!other.startsWith(tracking.cookieName() + "=")) {
                headers.add("Set-Cookie", other);
            }
        }
        headers.add("Set-Cookie", tracking.setCookie(current.getId(), carrier.isSecure()));
    }
}

package io.millrace.servlet.session;

import javax.servlet.http.HttpSession;
import org.jspecify.annotations.Nullable;

/** One request's view of its session. Costs nothing until asked. Not for two threads at once. */
@SuppressWarnings("DoNotCallSuggester")
public final class RequestSession {

    RequestSession(Sessions sessions, SessionCarrier carrier) {}

    /**
     * The session; if there is none, null or a new one, whose id is set as a cookie.
     *
     * @throws IllegalStateException if one had to be made after the response was committed
     */
    public @Nullable HttpSession get(boolean create) {
        throw new UnsupportedOperationException();
    }

    /** The id the client sent, valid or not. */
    public @Nullable String requestedId() {
        throw new UnsupportedOperationException();
    }

    public boolean isRequestedIdValid() {
        throw new UnsupportedOperationException();
    }

    public boolean isRequestedIdFromCookie() {
        throw new UnsupportedOperationException();
    }

    public boolean isRequestedIdFromUrl() {
        throw new UnsupportedOperationException();
    }

    /**
     * Gives the session a new id and tells the client and the listeners.
     *
     * @return the new id
     * @throws IllegalStateException if there is no session
     */
    public String changeId() {
        throw new UnsupportedOperationException();
    }

    /** The URL with the session's id in it if the client needs that there; otherwise the URL (encodeURL). */
    public String encode(String url) {
        throw new UnsupportedOperationException();
    }

    /** The same for redirects (encodeRedirectURL). */
    public String encodeRedirect(String url) {
        throw new UnsupportedOperationException();
    }

    /** The request is over: the session's idle time begins. Once per request, asynchronous ones when they end. */
    public void end() {
        throw new UnsupportedOperationException();
    }
}

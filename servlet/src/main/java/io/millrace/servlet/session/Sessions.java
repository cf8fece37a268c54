package io.millrace.servlet.session;

import io.millrace.ServerContext;
import io.millrace.servlet.cookie.CookieWriter;
import io.millrace.servlet.model.SessionConfigModel;
import java.util.EventListener;
import java.util.Set;
import javax.servlet.ServletContext;
import javax.servlet.SessionCookieConfig;
import javax.servlet.SessionTrackingMode;
import org.jspecify.annotations.Nullable;

/** The sessions of one web application, in memory. Any thread. */
@SuppressWarnings("DoNotCallSuggester")
public final class Sessions {

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
            ServerContext server) {}

    /** As ServletContext has it; refuses changes after {@link #start}. */
    public SessionCookieConfig cookieConfig() {
        throw new UnsupportedOperationException();
    }

    public Set<SessionTrackingMode> defaultTrackingModes() {
        throw new UnsupportedOperationException();
    }

    public Set<SessionTrackingMode> trackingModes() {
        throw new UnsupportedOperationException();
    }

    /**
     * How clients carry the id.
     *
     * @throws IllegalStateException after {@link #start}
     * @throws IllegalArgumentException for SSL, which is not supported here
     */
    public void trackingModes(Set<SessionTrackingMode> modes) {
        throw new UnsupportedOperationException();
    }

    /** Minutes without a request after which a new session ends; 0 or less: never. */
    public int timeoutMinutes() {
        throw new UnsupportedOperationException();
    }

    public void timeoutMinutes(int minutes) {
        throw new UnsupportedOperationException();
    }

    /** Takes HttpSessionListener, HttpSessionAttributeListener and HttpSessionIdListener; ignores others. In order. */
    public void addListener(EventListener listener) {
        throw new UnsupportedOperationException();
    }

    /** The context's listeners have been told: configuration is fixed from here on. */
    public void start() {
        throw new UnsupportedOperationException();
    }

    /** Ends all sessions and tells their listeners. */
    public void stop() {
        throw new UnsupportedOperationException();
    }

    /** A request's view. */
    public RequestSession of(SessionCarrier carrier) {
        return new RequestSession(this, carrier);
    }

    /** Sessions alive. */
    public int count() {
        throw new UnsupportedOperationException();
    }
}

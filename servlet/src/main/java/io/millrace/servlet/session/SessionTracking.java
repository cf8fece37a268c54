package io.millrace.servlet.session;

import io.millrace.servlet.cookie.CookieWriter;
import io.millrace.servlet.model.SessionConfigModel;
import io.millrace.servlet.uri.ContextPath;
import java.util.EnumSet;
import java.util.Set;
import javax.servlet.ServletContext;
import javax.servlet.SessionCookieConfig;
import javax.servlet.SessionTrackingMode;
import javax.servlet.http.Cookie;

/**
 * The session tracking of one web application: by cookie, in URL paths, or by TLS session. Modified only while the application
 * starts, then read by any thread.
 */
public final class SessionTracking {

    private static final Set<SessionTrackingMode> COOKIE_AND_URL =
            Set.of(SessionTrackingMode.COOKIE, SessionTrackingMode.URL);
    private static final Set<SessionTrackingMode> URL = Set.of(SessionTrackingMode.URL);

    private final ServletContext context;
    private final SessionCookieSettings cookie;
    private final CookieWriter cookies;
    private final Set<SessionTrackingMode> unlessSaid;
    private volatile Set<SessionTrackingMode> modes;
    private volatile boolean fixed;

    /**
     * The tracking set by web.xml and the operator.
     *
     * @throws IllegalArgumentException for an invalid combination of modes
     */
    SessionTracking(ServletContext context, SessionConfigModel model, SessionSettings settings, CookieWriter cookies) {
        this.context = context;
        this.cookies = cookies;
        cookie = new SessionCookieSettings(model, settings);
        unlessSaid = settings.get(SessionSettings.COOKIES) ? COOKIE_AND_URL : URL;
        modes = unlessSaid;
        if (!model.trackingModes.isEmpty()) {
            modes(model.trackingModes);
        }
    }

    /** The configuration of the cookie, which refuses changes once the application has started. */
    public SessionCookieConfig cookieConfig() {
        return cookie;
    }

    /** The modes unless the application sets others. */
    public Set<SessionTrackingMode> unlessSaid() {
        return unlessSaid;
    }

    /** The modes. */
    public Set<SessionTrackingMode> modes() {
        return modes;
    }

    /** True if sessions are tracked by this mode. With SSL, every request over TLS has an id. */
    public boolean by(SessionTrackingMode mode) {
        return modes.contains(mode);
    }

    /**
     * Sets the modes; without any, session ids are neither sent nor read.
     *
     * @throws IllegalStateException once the application has started
     * @throws IllegalArgumentException if SSL is combined with others (ServletContext.setSessionTrackingModes)
     */
    public void modes(Set<SessionTrackingMode> wanted) {
        checkNotFixed("session tracking modes");
        if (wanted.contains(SessionTrackingMode.SSL) && wanted.size() > 1) {
            throw new IllegalArgumentException(
                    "the session tracking mode SSL cannot be combined with COOKIE or URL, found " + wanted
                            + "; set SSL alone, or the others without it");
        }
        modes = wanted.isEmpty() ? Set.of() : Set.copyOf(EnumSet.copyOf(wanted));
    }

    /** Ends the configuration: the application has started. */
    void fix() {
        fixed = true;
        cookie.fix();
    }

    void checkNotFixed(String what) {
        if (fixed) {
            throw new IllegalStateException(what + " cannot be changed after the application has started");
        }
    }

    String cookieName() {
        return cookie.cookieName();
    }

    /** The path parameter's name, with the preceding semicolon and the equals sign. */
    String urlParameter() {
        return ";" + cookie.urlName() + "=";
    }

    SessionLink link(String requestUrl) {
        return new SessionLink(urlParameter(), ContextPath.decoded(context), requestUrl);
    }

    /** Removes session ids from a path as sent by a client. */
    public String withoutId(String path) {
        String parameter = urlParameter();
        StringBuilder rest = new StringBuilder(path);
        for (int at = rest.indexOf(parameter); at >= 0; at = rest.indexOf(parameter, at)) {
            int end = at + 1;
            while (end < rest.length() && ";/".indexOf(rest.charAt(end)) < 0) {
                end++;
            }
            rest.delete(at, end);
        }
        return rest.toString();
    }

    /** The Set-Cookie value that removes the cookie from a client. */
    public String expiredCookie(boolean secureRequest) {
        Cookie gone = cookie.cookie("", context.getContextPath(), secureRequest);
        gone.setMaxAge(0);
        return cookies.write(gone);
    }

    String setCookie(String id, boolean secureRequest) {
        return cookies.write(cookie.cookie(id, context.getContextPath(), secureRequest));
    }
}

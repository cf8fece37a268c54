package io.millrace.servlet.session;

import io.millrace.servlet.cookie.CookieWriter;
import io.millrace.servlet.model.SessionConfigModel;
import java.util.EnumSet;
import java.util.Set;
import javax.servlet.ServletContext;
import javax.servlet.SessionCookieConfig;
import javax.servlet.SessionTrackingMode;
import javax.servlet.http.Cookie;

/**
 * How clients carry the session ids of one web application: in a cookie, in the paths of URLs, or by their TLS session. Set while the
 * application starts, then read by any thread.
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
     * As web.xml and the operator say.
     *
     * @throws IllegalArgumentException for a set of modes that makes no sense
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

    /** As ServletContext has it; refuses changes once the application has started. */
    public SessionCookieConfig cookieConfig() {
        return cookie;
    }

    /** The modes unless the application says others. */
    public Set<SessionTrackingMode> unlessSaid() {
        return unlessSaid;
    }

    /** The modes. */
    public Set<SessionTrackingMode> modes() {
        return modes;
    }

    /** Do clients carry ids so? By SSL every encrypted request brings one. */
    public boolean by(SessionTrackingMode mode) {
        return modes.contains(mode);
    }

    /**
     * Sets the modes; without any, session ids are neither sent nor read.
     *
     * @throws IllegalStateException once the application has started
     * @throws IllegalArgumentException if SSL is not the only one (ServletContext.setSessionTrackingModes)
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

    /** The application has started: nothing changes from here on. */
    void fix() {
        fixed = true;
        cookie.fix();
    }

    void checkNotFixed(String what) {
        if (fixed) {
            throw new IllegalStateException("The application has started: " + what + " can't be changed any more.");
        }
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

    /** A path as a client sent it, without session ids in it. */
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

    /** What makes a client forget the id. */
    public String expiredCookie(boolean secureRequest) {
        Cookie gone = cookie.cookie("", context.getContextPath(), secureRequest);
        gone.setMaxAge(0);
        return cookies.write(gone);
    }

    String setCookie(String id, boolean secureRequest) {
        return cookies.write(cookie.cookie(id, context.getContextPath(), secureRequest));
    }
}

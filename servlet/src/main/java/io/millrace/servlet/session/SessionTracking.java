package io.millrace.servlet.session;

import io.millrace.servlet.cookie.CookieWriter;
import io.millrace.servlet.model.SessionConfigModel;
import io.millrace.servlet.uri.ContextPath;
import io.millrace.settings.Setting;
import java.util.EnumSet;
import java.util.Set;
import javax.servlet.ServletContext;
import javax.servlet.SessionCookieConfig;
import javax.servlet.SessionTrackingMode;
import javax.servlet.http.Cookie;
import org.jspecify.annotations.Nullable;

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

    /** Whether sessions are tracked by this mode. With SSL, every request over TLS has an id. */
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

    /** The attributes of the session cookie; the application can change them while it starts (Servlet 3.1, 4.4). */
    private static final class SessionCookieSettings implements SessionCookieConfig {

        private static final String DEFAULT_NAME = "JSESSIONID";

        private @Nullable String name;
        private @Nullable String domain;
        private @Nullable String path;
        private @Nullable String comment;
        private boolean httpOnly;
        private boolean secure;
        private int maxAge;
        private volatile boolean fixed;
        /** The operator's settings override those of the application. */
        private final SessionSettings operator;

        SessionCookieSettings(SessionConfigModel model, SessionSettings operator) {
            this.operator = operator;
            name = model.cookieName;
            domain = model.cookieDomain;
            path = model.cookiePath;
            comment = model.cookieComment;
            httpOnly =
                    model.cookieHttpOnly != null ? model.cookieHttpOnly : operator.get(SessionSettings.USE_HTTP_ONLY);
            secure = model.cookieSecure;
            maxAge = model.cookieMaxAge;
        }

        void fix() {
            fixed = true;
        }

        String cookieName() {
            return cookieName(DEFAULT_NAME);
        }

        /** In URLs the default is in lower case (Servlet 3.1, 7.1.3). */
        String urlName() {
            return cookieName("jsessionid");
        }

        private String cookieName(String byDefault) {
            String value = orElse(SessionSettings.SESSION_COOKIE_NAME, name);
            return value == null ? byDefault : value;
        }

        /** The operator's value if there is one, otherwise the application's. */
        private @Nullable String orElse(Setting<String> setting, @Nullable String application) {
            String value = operator.get(setting);
            return value.isEmpty() ? application : value;
        }

        Cookie cookie(String id, String contextPath, boolean secureRequest) {
            Cookie cookie = new Cookie(cookieName(), id);
            String host = orElse(SessionSettings.SESSION_COOKIE_DOMAIN, domain);
            if (host != null) {
                cookie.setDomain(host);
            }
            cookie.setPath(path(contextPath));
            cookie.setHttpOnly(httpOnly);
            cookie.setSecure(secure || secureRequest);
            cookie.setMaxAge(maxAge);
            return cookie;
        }

        private String path(String contextPath) {
            String value = orElse(SessionSettings.SESSION_COOKIE_PATH, path);
            return value != null ? value : contextPath.isEmpty() ? "/" : contextPath;
        }

        @Override
        public void setName(@Nullable String name) {
            check();
            this.name = name;
        }

        @Override
        public @Nullable String getName() {
            return name;
        }

        @Override
        public void setDomain(@Nullable String domain) {
            check();
            this.domain = domain;
        }

        @Override
        public @Nullable String getDomain() {
            return domain;
        }

        @Override
        public void setPath(@Nullable String path) {
            check();
            this.path = path;
        }

        @Override
        public @Nullable String getPath() {
            return path;
        }

        @Override
        public void setComment(@Nullable String comment) {
            check();
            this.comment = comment;
        }

        @Override
        public @Nullable String getComment() {
            return comment;
        }

        @Override
        public void setHttpOnly(boolean httpOnly) {
            check();
            this.httpOnly = httpOnly;
        }

        @Override
        public boolean isHttpOnly() {
            return httpOnly;
        }

        @Override
        public void setSecure(boolean secure) {
            check();
            this.secure = secure;
        }

        @Override
        public boolean isSecure() {
            return secure;
        }

        @Override
        public void setMaxAge(int maxAge) {
            check();
            this.maxAge = maxAge;
        }

        @Override
        public int getMaxAge() {
            return maxAge;
        }

        private void check() {
            if (fixed) {
                throw new IllegalStateException(
                        "the attributes of the session cookie cannot be changed after the application has started;"
                                + " change them in a ServletContextListener");
            }
        }
    }
}

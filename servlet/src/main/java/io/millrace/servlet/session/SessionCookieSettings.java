package io.millrace.servlet.session;

import io.millrace.servlet.model.SessionConfigModel;
import io.millrace.settings.Setting;
import javax.servlet.SessionCookieConfig;
import javax.servlet.http.Cookie;
import org.jspecify.annotations.Nullable;

/** The attributes of the session cookie; the application can change them while it starts (Servlet 3.1, 4.4). */
final class SessionCookieSettings implements SessionCookieConfig {

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
        httpOnly = model.cookieHttpOnly != null ? model.cookieHttpOnly : operator.get(SessionSettings.USE_HTTP_ONLY);
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

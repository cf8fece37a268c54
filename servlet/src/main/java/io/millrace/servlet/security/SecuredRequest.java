package io.millrace.servlet.security;

import io.millrace.exchange.HttpExchange;
import io.millrace.http.HttpVersion;
import io.millrace.http.RequestPath;
import io.millrace.io.FrontEnd;
import io.millrace.io.FrontEndUser;
import io.millrace.servlet.cookie.CookieWriter;
import io.millrace.servlet.settings.ServletOptions;
import io.millrace.settings.Settings;
import java.io.IOException;
import java.io.InputStream;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import javax.servlet.http.Cookie;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

/** A request as seen by access control. Not thread-safe. */
public final class SecuredRequest {

    private static final String CERTIFICATES = "javax.servlet.request.X509Certificate";

    private final HttpServletRequest request;
    private final HttpServletResponse response;
    private final HttpExchange exchange;
    private final Settings connector;
    private final String contextPath;
    private final Supplier<@Nullable InputStream> unreadBody;

    /**
     * Creates the view of a request that has been assigned to an application.
     *
     * @param contextPath decoded
     * @param connector the connector's settings for the request
     * @param unreadBody returns the body; null if the application has already opened it
     */
    public SecuredRequest(
            HttpServletRequest request,
            HttpServletResponse response,
            HttpExchange exchange,
            String contextPath,
            Settings connector,
            Supplier<@Nullable InputStream> unreadBody) {
        this.request = request;
        this.response = response;
        this.exchange = exchange;
        this.contextPath = contextPath;
        this.connector = connector;
        this.unreadBody = unreadBody;
    }

    String method() {
        return request.getMethod();
    }

    HttpVersion version() {
        return exchange.request().version();
    }

    /**
     * The decoded and normalized paths below the context path, each beginning with a slash or empty: the requested path, and the
     * served one if that differs, as for a welcome file. Access to both is required. For the first dispatch only.
     */
    List<String> paths() {
        String sent = path().substring(contextPath.length());
        String served = request.getServletPath() + Objects.requireNonNullElse(request.getPathInfo(), "");
        return served.equals(sent) ? List.of(sent) : List.of(sent, served);
    }

    /** The decoded path, including the context path. */
    String path() {
        return requestPath().decoded();
    }

    private RequestPath requestPath() {
        return exchange.request().path();
    }

    @Nullable
    String query() {
        return exchange.request().query();
    }

    /** The request target as sent. */
    String target() {
        return exchange.request().target();
    }

    /** The raw path and query, without scheme and authority of an absolute target. */
    String rawPathAndQuery() {
        String query = query();
        return query == null ? requestPath().raw() : requestPath().raw() + "?" + query;
    }

    /** Whether the request was encrypted. */
    boolean isSecure() {
        return request.isSecure();
    }

    /** The first value of a request field. */
    @Nullable
    String header(String name) {
        return request.getHeader(name);
    }

    /** The cookies; empty if there are none. */
    Cookie[] cookies() {
        Cookie[] all = request.getCookies();
        return all == null ? new Cookie[0] : all;
    }

    /** Sets a cookie, replacing one of this name in the response; no effect on a committed response. */
    void replaceCookie(Cookie cookie) {
        if (response.isCommitted()) {
            return;
        }
        CookieWriter.withdraw(exchange.response().headers(), cookie.getName());
        response.addCookie(cookie);
    }

    /** Sets a field of the response. */
    void respondWith(String name, String value) {
        response.setHeader(name, value);
    }

    /** The client's certificate chain, its own first; empty if it sent none. */
    List<X509Certificate> certificates() {
        return request.getAttribute(CERTIFICATES) instanceof X509Certificate[] chain ? List.of(chain) : List.of();
    }

    /** {@code http://host:port/path}, for the redirect to https. For the first dispatch only. */
    String url() {
        return request.getRequestURL().toString();
    }

    /** The port of https; 0 for none: then requests that require it get status 403. */
    int redirectPort() {
        return connector.get(ServletOptions.REDIRECT_PORT);
    }

    /** A path of the application, for a redirect. For the first dispatch only. */
    String inContext(String path) {
        return request.getServletContext().getContextPath() + path;
    }

    /** The user whom a trusted front end has authenticated; null if there is none. */
    @Nullable
    FrontEndUser relayedUser() {
        FrontEnd frontEnd = exchange.channel().info().frontEnd();
        return frontEnd == null ? null : frontEnd.notes().user();
    }

    /** A form field, decoded as UTF-8 or ISO-8859-1 if the request names no encoding; null if there is no such field. */
    @Nullable
    String formField(String name) {
        String value = request.getParameter(name);
        return value == null || request.getCharacterEncoding() != null ? value : QuotedText.decode(value);
    }

    /**
     * Saves the request for the time after the login. Reads its body, which blocks.
     *
     * @return null if the body is larger than {@code maxSavePostSize}
     * @throws IOException if reading the body fails
     */
    @Nullable
    SavedRequest save() throws IOException {
        int limit = connector.get(ServletOptions.MAX_SAVE_POST_SIZE);
        String urlSession = request.isRequestedSessionIdFromURL() ? request.getRequestedSessionId() : null;
        return RequestCopy.make(exchange.request(), urlSession, limit == 0 ? null : unreadBody.get(), limit);
    }

    /** Replaces this request by a saved one. */
    void replay(SavedRequest saved) {
        RequestCopy.replay(saved, exchange);
    }
}

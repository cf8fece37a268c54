package io.millrace.servlet.security;

import io.millrace.exchange.HttpExchange;
import io.millrace.http.Headers;
import io.millrace.http.HttpVersion;
import io.millrace.http.RequestPath;
import io.millrace.io.FrontEnd;
import io.millrace.io.FrontEndUser;
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

/** A request as those see it who decide whether it may go on. Not for two threads at once. */
public final class SecuredRequest {

    private static final String CERTIFICATES = "javax.servlet.request.X509Certificate";

    private final HttpServletRequest request;
    private final HttpServletResponse response;
    private final HttpExchange exchange;
    private final Settings connector;
    private final Supplier<@Nullable InputStream> unreadBody;

    /**
     * Of a request at the application that it came to.
     *
     * @param connector what holds for the request
     * @param unreadBody gives its body; null if the application has taken it
     */
    public SecuredRequest(
            HttpServletRequest request,
            HttpServletResponse response,
            HttpExchange exchange,
            Settings connector,
            Supplier<@Nullable InputStream> unreadBody) {
        this.request = request;
        this.response = response;
        this.exchange = exchange;
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
     * Where it leads, decoded and normalised, below the context path; begins with a slash or is empty. More than one place
     * if a welcome file stands for a directory: who asks for it must be admitted to both. For its first dispatch.
     */
    List<String> paths() {
        String sent = path().substring(request.getContextPath().length());
        String served = request.getServletPath() + Objects.requireNonNullElse(request.getPathInfo(), "");
        return served.equals(sent) ? List.of(sent) : List.of(sent, served);
    }

    /** The path it was sent to, decoded, context path and all. */
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

    /** The request's target as it was sent. */
    String target() {
        return exchange.request().target();
    }

    /** The raw path and query, wherever the request was sent. */
    String rawPathAndQuery() {
        String query = query();
        return query == null ? requestPath().raw() : requestPath().raw() + "?" + query;
    }

    /** True if the request came encrypted. */
    boolean isSecure() {
        return request.isSecure();
    }

    /** A request field's first value. */
    @Nullable
    String header(String name) {
        return request.getHeader(name);
    }

    /** Empty if it brings none. */
    Cookie[] cookies() {
        Cookie[] all = request.getCookies();
        return all == null ? new Cookie[0] : all;
    }

    /** Sets a cookie, in place of one of this name that the response has already; has no effect on a committed response. */
    void replaceCookie(Cookie cookie) {
        if (response.isCommitted()) {
            return;
        }
        Headers headers = exchange.response().headers();
        List<String> others = headers.all("Set-Cookie");
        headers.remove("Set-Cookie");
        for (String other : others) {
            if (!other.startsWith(cookie.getName() + "=")) {
                headers.add("Set-Cookie", other);
            }
        }
        response.addCookie(cookie);
    }

    /** Sets a field of the response. */
    void respondWith(String name, String value) {
        response.setHeader(name, value);
    }

    /** The client's certificate and those it was signed by, its own first; empty if it showed none. */
    List<X509Certificate> certificates() {
        return request.getAttribute(CERTIFICATES) instanceof X509Certificate[] chain ? List.of(chain) : List.of();
    }

    /** {@code http://host:port/path}, to redirect to its https twin. For its first dispatch. */
    String url() {
        return request.getRequestURL().toString();
    }

    /** Where https is served; 0: nowhere, requests that need it answer 403. */
    int redirectPort() {
        return connector.get(ServletOptions.REDIRECT_PORT);
    }

    /** A path of the application, for a redirect. For its first dispatch. */
    String inContext(String path) {
        return request.getContextPath() + path;
    }

    /** Whom a front end has logged in, that is believed in this; null if there is none. */
    @Nullable
    FrontEndUser relayedUser() {
        FrontEnd frontEnd = exchange.channel().info().frontEnd();
        return frontEnd == null ? null : frontEnd.notes().user();
    }

    /** A field of the form it carries, as bytes if it does not say what they are; null if there is no such field. */
    @Nullable
    String formField(String name) {
        String value = request.getParameter(name);
        return value == null || request.getCharacterEncoding() != null ? value : QuotedText.decode(value);
    }

    /**
     * The request to keep until its sender has logged in. Its body is read.
     *
     * @return null if its body is larger than the connector keeps
     * @throws IOException if the body can't be read
     */
    @Nullable
    SavedRequest save() throws IOException {
        int limit = connector.get(ServletOptions.MAX_SAVE_POST_SIZE);
        String urlSession = request.isRequestedSessionIdFromURL() ? request.getRequestedSessionId() : null;
        return RequestCopy.make(exchange.request(), urlSession, limit == 0 ? null : unreadBody.get(), limit);
    }

    /** From here on the request is the one that was kept, sent by this one's sender. */
    void replay(SavedRequest saved) {
        RequestCopy.replay(saved, exchange);
    }
}

package io.millrace.servlet.request;

import io.millrace.exchange.HttpExchange;
import io.millrace.http.HttpVersion;
import io.millrace.http.RequestPath;
import io.millrace.io.FrontEnd;
import io.millrace.io.FrontEndUser;
import io.millrace.servlet.security.QuotedText;
import io.millrace.servlet.security.SavedRequest;
import io.millrace.servlet.security.SecurityCarrier;
import java.io.IOException;
import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request as those see it who decide whether it may go on. Not for two threads at once. */
final class SecurityView implements SecurityCarrier {

    private final HttpServletRequestImpl request;
    private final HttpExchange exchange;

    SecurityView(HttpServletRequestImpl request, HttpExchange exchange) {
        this.request = request;
        this.exchange = exchange;
    }

    @Override
    public String method() {
        return request.getMethod();
    }

    @Override
    public HttpVersion version() {
        return exchange.request().version();
    }

    @Override
    public String path() {
        return requestPath().decoded();
    }

    private RequestPath requestPath() {
        return exchange.request().path();
    }

    @Override
    public List<String> paths() {
        String sent = path().substring(request.home().contextPath().length());
        String served = request.containerView().match().path();
        return served.equals(sent) ? List.of(sent) : List.of(sent, served);
    }

    @Override
    public @Nullable String query() {
        return exchange.request().query();
    }

    @Override
    public String target() {
        return exchange.request().target();
    }

    @Override
    public String rawPathAndQuery() {
        String query = query();
        return query == null ? requestPath().raw() : requestPath().raw() + "?" + query;
    }

    @Override
    public boolean isSecure() {
        return request.isSecure();
    }

    @Override
    public @Nullable String header(String name) {
        return request.getHeader(name);
    }

    @Override
    public void respondWith(String name, String value) {
        request.response().setHeader(name, value);
    }

    @Override
    public List<X509Certificate> certificates() {
        return request.getAttribute(TlsAttributes.CERTIFICATES) instanceof X509Certificate[] chain
                ? List.of(chain)
                : List.of();
    }

    @Override
    public @Nullable FrontEndUser relayedUser() {
        FrontEnd frontEnd = exchange.connection().frontEnd();
        return frontEnd == null ? null : frontEnd.notes().user();
    }

    @Override
    public String url() {
        return request.originalUrl();
    }

    @Override
    public int redirectPort() {
        return request.connector().redirectPort();
    }

    @Override
    public String inContext(String path) {
        return request.home().contextPath() + path;
    }

    @Override
    public @Nullable String formField(String name) {
        String value = request.getParameter(name);
        return value == null || request.getCharacterEncoding() != null ? value : QuotedText.decode(value);
    }

    @Override
    public @Nullable SavedRequest save() throws IOException {
        return new RequestCopy(request, exchange).make();
    }

    @Override
    public void replay(SavedRequest saved) {
        RequestCopy.replay(saved, request, exchange);
    }
}

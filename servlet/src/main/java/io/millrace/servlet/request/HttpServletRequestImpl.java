package io.millrace.servlet.request;

import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.TunnelHandler;
import io.millrace.http.HttpDates;
import io.millrace.http.HttpVersion;
import io.millrace.http.RequestedHost;
import io.millrace.protocol.PushStream;
import io.millrace.servlet.app.AppView;
import io.millrace.servlet.app.DispatchChain;
import io.millrace.servlet.security.LoginOptions;
import io.millrace.servlet.security.RequestSecurity;
import io.millrace.servlet.settings.ServletOptions;
import io.millrace.servlet.uri.UrlEscapes;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UnsupportedEncodingException;
import java.net.SocketAddress;
import java.security.Principal;
import java.util.Collection;
import java.util.Collections;
import java.util.Enumeration;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import javax.servlet.AsyncContext;
import javax.servlet.DispatcherType;
import javax.servlet.RequestDispatcher;
import javax.servlet.ServletContext;
import javax.servlet.ServletException;
import javax.servlet.ServletInputStream;
import javax.servlet.ServletRequest;
import javax.servlet.ServletRequestWrapper;
import javax.servlet.ServletResponse;
import javax.servlet.http.Cookie;
import javax.servlet.http.HttpServletMapping;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import javax.servlet.http.HttpSession;
import javax.servlet.http.HttpUpgradeHandler;
import javax.servlet.http.Part;
import javax.servlet.http.PushBuilder;
import org.jspecify.annotations.Nullable;

/**
 * The Servlet API's request: a facade over the {@link RequestFacts} of an exchange and their current {@link Dispatch}, from which
 * everything is read on demand. Confined to the exchange's owner.
 */
// Longer than 500 lines, as the API has eighty methods; almost all are a line.
@SuppressWarnings("InlineMeSuggester") // the API's deprecated methods are not ours to inline
public final class HttpServletRequestImpl implements HttpServletRequest, DispatchChain.AsyncScope {

    private final RequestFacts facts;
    private final HttpServletResponseImpl response;
    private final AsyncMode async;
    private @Nullable HttpUpgradeHandler upgrade;
    private @Nullable TunnelHandler tunnel;

    /**
     * The request of an exchange.
     *
     * @param view its paths in the application that it is mapped to
     * @param async starts asynchronous processing for the application
     */
    public HttpServletRequestImpl(HttpExchange exchange, DispatchView view, AsyncMode async) {
        this.facts = new RequestFacts(exchange, view);
        this.response = new HttpServletResponseImpl(facts, async);
        this.async = async;
    }

    /**
     * Unwraps an application's request.
     *
     * @throws IllegalArgumentException if it wraps another implementation
     */
    public static HttpServletRequestImpl of(ServletRequest request) {
        ServletRequest at = request;
        while (at instanceof ServletRequestWrapper wrapper) {
            at = wrapper.getRequest();
        }
        if (at instanceof HttpServletRequestImpl inner) {
            return inner;
        }
        throw new IllegalArgumentException(at.getClass().getName()
                + " is neither the container's request nor a ServletRequestWrapper around it (Servlet 3.1, 9.2)");
    }

    // For the container.

    /** What the container and the facades share. */
    public RequestFacts facts() {
        return facts;
    }

    public HttpExchange exchange() {
        return facts.exchange();
    }

    /** The application that the request was mapped to. */
    public AppView home() {
        return facts.home();
    }

    /** The current application: the one mapped to the request, or the target of a dispatch to another context. */
    public AppView app() {
        return facts.dispatch().app();
    }

    /** The paths of the current dispatch. */
    public DispatchView view() {
        return facts.dispatch().view();
    }

    public HttpServletResponseImpl response() {
        return response;
    }

    public RequestSecurity security() {
        return facts.security(this, response);
    }

    @Override
    public void withoutAsync() {
        facts.withoutAsync();
    }

    /** Ends the request: application code no longer uses it, unless it kept a reference (Servlet 3.1, 3.12). */
    public void end() {
        facts.end(this, response);
    }

    private void requireRunning(String caller) {
        if (facts.hasEnded()) {
            throw new IllegalStateException(caller + " was called too late: the request has ended");
        }
    }

    /** The owner of the connection after a 101 response; null without an upgrade. */
    public @Nullable HttpUpgradeHandler upgradeHandler() {
        return upgrade;
    }

    /** The handler that takes over the exchange after a 101 response; null if there is none. */
    public @Nullable TunnelHandler tunnel() {
        return tunnel;
    }

    /**
     * Hands the exchange to a handler once the application has finished this request.
     *
     * @throws IllegalStateException if the response is committed or the request has ended
     */
    public void tunnel(TunnelHandler handler) {
        requireRunning("an upgrade");
        response.switchProtocols();
        tunnel = handler;
    }

    // The request line.

    @Override
    public String getMethod() {
        return facts.head().method();
    }

    @Override
    public String getProtocol() {
        return facts.head().version().toString();
    }

    @Override
    public String getScheme() {
        return facts.head().scheme();
    }

    @Override
    public boolean isSecure() {
        return facts.isSecure();
    }

    @Override
    public String getServerName() {
        return facts.authority().host();
    }

    @Override
    public int getServerPort() {
        return facts.authority().port();
    }

    // Addresses. Clients' names are resolved only if the connector enables it: a request must not wait for a name
    // server.

    @Override
    public String getRemoteAddr() {
        return RequestedHost.host(exchange().channel().info().remote());
    }

    @Override
    public String getRemoteHost() {
        SocketAddress client = exchange().channel().info().remote();
        return facts.connector().get(ServletOptions.ENABLE_LOOKUPS)
                ? LocalNames.named(client)
                : RequestedHost.host(client);
    }

    @Override
    public int getRemotePort() {
        return RequestedHost.port(exchange().channel().info().remote());
    }

    @Override
    public String getLocalAddr() {
        return RequestedHost.host(exchange().channel().info().local());
    }

    @Override
    public String getLocalName() {
        return LocalNames.ofLocal(exchange().channel().info().local());
    }

    @Override
    public int getLocalPort() {
        return RequestedHost.port(exchange().channel().info().local());
    }

    // Header fields.

    @Override
    public @Nullable String getHeader(String name) {
        return facts.head().headers().get(name);
    }

    @Override
    public Enumeration<String> getHeaders(String name) {
        return Collections.enumeration(facts.head().headers().all(name));
    }

    @Override
    public Enumeration<String> getHeaderNames() {
        return Collections.enumeration(facts.head().headers().names());
    }

    @Override
    public int getIntHeader(String name) {
        String value = getHeader(name);
        return value == null ? -1 : Integer.parseInt(value.trim());
    }

    @Override
    public long getDateHeader(String name) {
        String value = getHeader(name);
        return value == null ? -1 : HttpDates.parseInAnyZone(value);
    }

    @Override
    public Locale getLocale() {
        return AcceptLanguage.parse(getHeader("Accept-Language")).get(0);
    }

    @Override
    public Enumeration<Locale> getLocales() {
        return Collections.enumeration(AcceptLanguage.parse(getHeader("Accept-Language")));
    }

    @Override
    public @Nullable String getContentType() {
        return facts.contentType();
    }

    @Override
    public int getContentLength() {
        long length = getContentLengthLong();
        return length > Integer.MAX_VALUE ? -1 : (int) length;
    }

    @Override
    public long getContentLengthLong() {
        return facts.contentLength();
    }

    // The dispatch and its context.

    @Override
    public @Nullable RequestDispatcher getRequestDispatcher(@Nullable String path) {
        return path == null ? null : app().servletContext().getRequestDispatcher(resolve(path));
    }

    /** Resolves a dispatcher's path below the context path; in an include, relative to the include's target (Servlet 3.1, 9.1). */
    private String resolve(String path) {
        if (path.startsWith("/")) {
            return path;
        }
        Object including = getAttribute(RequestDispatcher.INCLUDE_SERVLET_PATH);
        String base = view().type() == DispatcherType.INCLUDE && including != null
                ? including + Objects.toString(getAttribute(RequestDispatcher.INCLUDE_PATH_INFO), "")
                : view().match().path();
        String directory = base.isEmpty() ? "/" : base.substring(0, base.lastIndexOf('/') + 1);
        return UrlEscapes.encode(directory) + path;
    }

    @Override
    public DispatcherType getDispatcherType() {
        return view().type();
    }

    @Override
    public ServletContext getServletContext() {
        return app().servletContext();
    }

    @Override
    @Deprecated
    public @Nullable String getRealPath(String path) {
        return app().servletContext().getRealPath(path);
    }

    /** Whether all filters and servlets that this dispatch has reached so far support asynchronous processing. */
    @Override
    public boolean isAsyncSupported() {
        return facts.isAsyncSupported();
    }

    // The request line.

    @Override
    public String getRequestURI() {
        return view().requestUri();
    }

    @Override
    public StringBuffer getRequestURL() {
        return new StringBuffer(facts.url(view().requestUri()));
    }

    @Override
    public String getContextPath() {
        return view().contextPath();
    }

    @Override
    public String getServletPath() {
        return view().match().servletPath();
    }

    @Override
    public @Nullable String getPathInfo() {
        return view().match().pathInfo();
    }

    @Override
    public @Nullable String getPathTranslated() {
        String info = getPathInfo();
        return info == null ? null : app().servletContext().getRealPath(info);
    }

    @Override
    public HttpServletMapping getHttpServletMapping() {
        return view().match();
    }

    @Override
    public @Nullable String getQueryString() {
        return view().query();
    }

    // Parameters: a dispatcher's query precedes the request's own.

    @Override
    public @Nullable String getParameter(String name) {
        return facts.parameters().value(name);
    }

    @Override
    public Enumeration<String> getParameterNames() {
        return Collections.enumeration(facts.parameters().names());
    }

    @Override
    public String @Nullable [] getParameterValues(String name) {
        return facts.parameters().values(name);
    }

    @Override
    public Map<String, String[]> getParameterMap() {
        return facts.parameters().map();
    }

    // Server push.

    @Override
    public @Nullable PushBuilder newPushBuilder() {
        PushStream push = exchange().channel().push();
        return push != null && push.canPush()
                ? new PushedRequest(this, exchange(), push, facts.session().pushed())
                : null;
    }

    // Attributes.

    @Override
    public @Nullable Object getAttribute(String name) {
        return LoginOptions.CREDENTIAL_ATTRIBUTE.equals(name)
                ? security().delegatedCredential()
                : facts.attributes().get(name);
    }

    @Override
    public Enumeration<String> getAttributeNames() {
        return facts.attributes().names();
    }

    @Override
    public void setAttribute(String name, @Nullable Object value) {
        facts.attributes().set(name, value, this, facts.attributeListeners());
    }

    @Override
    public void removeAttribute(String name) {
        setAttribute(name, null);
    }

    // Cookies and the body.

    @Override
    public Cookie @Nullable [] getCookies() {
        Cookie[] cookies = facts.cookies();
        return cookies.length == 0 ? null : cookies.clone();
    }

    @Override
    public @Nullable String getCharacterEncoding() {
        return facts.encoding();
    }

    @Override
    public void setCharacterEncoding(String name) throws UnsupportedEncodingException {
        facts.body().encoding(name);
    }

    @Override
    public ServletInputStream getInputStream() {
        return facts.body().stream(async);
    }

    @Override
    public BufferedReader getReader() throws IOException {
        return facts.body().reader(getServletContext());
    }

    @Override
    public boolean isTrailerFieldsReady() {
        return facts.body().areTrailersReady();
    }

    @Override
    public Map<String, String> getTrailerFields() {
        return facts.body().trailers();
    }

    @Override
    public Collection<Part> getParts() throws IOException, ServletException {
        return facts.form().parts();
    }

    @Override
    public @Nullable Part getPart(String name) throws IOException, ServletException {
        return facts.form().part(name);
    }

    // Session.

    @Override
    public @Nullable HttpSession getSession(boolean create) {
        return facts.session().get(create);
    }

    @Override
    public HttpSession getSession() {
        return Objects.requireNonNull(getSession(true));
    }

    @Override
    public String changeSessionId() {
        return facts.session().changeId();
    }

    @Override
    public @Nullable String getRequestedSessionId() {
        return facts.session().requestedId();
    }

    @Override
    public boolean isRequestedSessionIdValid() {
        return facts.session().isRequestedIdValid();
    }

    @Override
    public boolean isRequestedSessionIdFromCookie() {
        return facts.session().isRequestedIdFromCookie();
    }

    @Override
    public boolean isRequestedSessionIdFromURL() {
        return facts.session().isRequestedIdFromUrl();
    }

    @Override
    @Deprecated
    public boolean isRequestedSessionIdFromUrl() {
        return isRequestedSessionIdFromURL();
    }

    // Security.

    @Override
    public @Nullable String getAuthType() {
        return security().authType();
    }

    @Override
    public @Nullable Principal getUserPrincipal() {
        return security().principal();
    }

    @Override
    public @Nullable String getRemoteUser() {
        Principal principal = getUserPrincipal();
        return principal == null ? null : principal.getName();
    }

    @Override
    public boolean isUserInRole(String role) {
        return security().isUserInRole(role, facts.servlet().model().roleReferences);
    }

    @Override
    public boolean authenticate(HttpServletResponse to) throws IOException, ServletException {
        if (to.isCommitted()) {
            throw new IllegalStateException(
                    "authenticate() was called too late to challenge the client: the response is committed");
        }
        return Verdicts.apply(security().authenticate(), this, response, to);
    }

    @Override
    public void login(String name, String password) throws ServletException {
        security().login(name, password);
    }

    @Override
    public void logout() {
        security().logout();
    }

    // Asynchronous processing and upgrade.

    @Override
    public AsyncContext startAsync() {
        requireRunning("startAsync()");
        return async.start(this, response, true);
    }

    @Override
    public AsyncContext startAsync(ServletRequest suppliedRequest, ServletResponse suppliedResponse) {
        requireRunning("startAsync()");
        return async.start(suppliedRequest, suppliedResponse, false);
    }

    @Override
    public boolean isAsyncStarted() {
        return async.isStarted();
    }

    @Override
    public AsyncContext getAsyncContext() {
        return async.context();
    }

    /** The handler takes over the connection once the application has finished this request (Servlet 3.1, 2.3.3.5). */
    @Override
    public <T extends HttpUpgradeHandler> T upgrade(Class<T> type) throws ServletException {
        requireRunning("upgrade()");
        if (facts.head().version() == HttpVersion.HTTP_1_0) {
            throw new IllegalStateException("the client speaks HTTP/1.0, which has no upgrade");
        }
        T handler = app().instances().makeForRequest(type);
        response.switchProtocols();
        upgrade = handler;
        return handler;
    }
}

package io.millrace.servlet.request;

import io.millrace.exchange.ExchangeInputStream;
import io.millrace.exchange.HttpExchange;
import io.millrace.http.RequestHead;
import io.millrace.servlet.ConnectorSettings;
import io.millrace.servlet.context.DispatchChain;
import io.millrace.servlet.context.Dispatchers;
import io.millrace.servlet.context.RequestRunner;
import io.millrace.servlet.context.ServletHolder;
import io.millrace.servlet.context.WebAppContext;
import io.millrace.servlet.form.Parameters;
import io.millrace.servlet.security.RequestSecurity;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UnsupportedEncodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.Collection;
import java.util.Collections;
import java.util.Enumeration;
import java.util.Locale;
import java.util.Map;
import javax.servlet.AsyncContext;
import javax.servlet.DispatcherType;
import javax.servlet.RequestDispatcher;
import javax.servlet.ServletContext;
import javax.servlet.ServletException;
import javax.servlet.ServletInputStream;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.Cookie;
import javax.servlet.http.HttpServletMapping;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import javax.servlet.http.HttpSession;
import javax.servlet.http.HttpUpgradeHandler;
import javax.servlet.http.Part;
import org.jspecify.annotations.Nullable;

/**
 * An exchange's request as the Servlet API has it: everything is read from the exchange when asked for, nothing is made
 * before. For the owner of the exchange.
 */
@SuppressWarnings("InlineMeSuggester") // the API's deprecated methods are not ours to inline
public final class HttpServletRequestImpl implements HttpServletRequest {

    private final WebAppContext app;
    private final HttpExchange exchange;
    private final RequestHead head;
    private final ConnectorSettings connector;
    private final HttpServletResponseImpl response;
    private DispatchView view;
    private DispatchView containerView;
    private @Nullable DispatchChain chain;
    private boolean tlsAttributesFound;
    private @Nullable RequestAttributes attributes;
    private @Nullable ClientValues client;
    private @Nullable Parameters parameters;
    private @Nullable ServletInput input;
    private @Nullable BufferedReader reader;
    private @Nullable String encoding;
    private @Nullable AsyncCycle async;
    private boolean asyncSupported = true;
    private boolean ended;
    private boolean endWatched;

    public HttpServletRequestImpl(WebAppContext app, HttpExchange exchange, DispatchView view) {
        this.app = app;
        this.exchange = exchange;
        this.head = exchange.request();
        this.view = view;
        this.containerView = view;
        this.connector = app.connectorSettings(exchange);
        this.response = new HttpServletResponseImpl(app, exchange, this);
    }

    // What the container needs of it.

    public WebAppContext app() {
        return app;
    }

    /** What the connector says that it came by. */
    public ConnectorSettings connector() {
        return connector;
    }

    public HttpExchange exchange() {
        return exchange;
    }

    public HttpServletResponseImpl response() {
        return response;
    }

    public DispatchView view() {
        return view;
    }

    public void view(DispatchView next) {
        view = next;
    }

    /** Enters a dispatch: its servlet is the current one from here on. */
    public @Nullable DispatchChain enter(@Nullable DispatchChain next) {
        DispatchChain before = chain;
        chain = next;
        if (next != null && !next.isAsyncSupported()) {
            asyncSupported = false;
        }
        return before;
    }

    public ServletHolder servlet() {
        return chain == null ? view.match().servlet() : chain.servlet();
    }

    /** Sets an attribute of the container's own; null removes it. */
    public void containerAttribute(String name, @Nullable Object value) {
        if (value != null || attributes != null) {
            attributes().setQuietly(name, value);
        }
    }

    /** The parameters of the current dispatch, to be put back after it; null: those of the request. */
    public @Nullable Parameters dispatchParameters() {
        return parameters;
    }

    public void dispatchParameters(@Nullable Parameters those) {
        parameters = those;
    }

    /** Puts a dispatcher's query before the parameters there are (Servlet 3.1, 9.1.1). */
    public void addQuery(String query) {
        parameters = parameters().precededBy(query, client().queryCharset());
    }

    public RequestSecurity security() {
        return client().security();
    }

    public @Nullable AsyncCycle async() {
        return async;
    }

    /** A dispatch of the container's own begins: what came before neither wraps it nor forbids it anything. */
    public void containerDispatch(DispatchView next) {
        view = next;
        containerView = next;
        asyncSupported = true;
    }

    DispatchView containerView() {
        return containerView;
    }

    /** No application code will see this request again. */
    public void end() {
        ended = true;
        if (client != null) {
            client.endSession();
        }
    }

    /** Sees to it that the application is told if the exchange ends while nobody runs it. */
    void watchEnd() {
        if (!endWatched) {
            endWatched = true;
            exchange.onEnd(outcome -> {
                if (!ended) {
                    RequestRunner.abandoned(this, outcome.failure());
                }
            });
        }
    }

    /** Its response is on its way. */
    public void close() {
        if (client != null) {
            client.closeForm();
        }
    }

    /** Scheme, host and path as the client sent them. */
    String originalUrl() {
        return url(head.path().raw());
    }

    private String url(String path) {
        StringBuilder url = new StringBuilder(64);
        authority().appendTo(url, getScheme());
        return url.append(path).toString();
    }

    private Authority authority() {
        return Authority.of(head.authority(), head.scheme(), exchange.connection());
    }

    private RequestAttributes attributes() {
        if (attributes == null) {
            attributes = new RequestAttributes(this, app.listeners().requestAttributes());
        }
        return attributes;
    }

    ClientValues client() {
        if (client == null) {
            client = new ClientValues(this, app, exchange);
        }
        return client;
    }

    private Parameters parameters() {
        return parameters != null ? parameters : client().form().parameters();
    }

    /** The body, unless the application reads it. */
    @Nullable
    InputStream bodyForForm() {
        return input != null || reader != null ? null : exchange.inputStream();
    }

    // Attributes and dispatch.

    @Override
    public @Nullable Object getAttribute(String name) {
        if (TlsAttributes.mayBe(name)) {
            findTlsAttributes();
        }
        return attributes == null ? null : attributes.get(name);
    }

    @Override
    public Enumeration<String> getAttributeNames() {
        findTlsAttributes();
        return attributes == null ? Collections.emptyEnumeration() : attributes.names();
    }

    /** Found when they are first asked for; before that nobody pays for them. */
    private void findTlsAttributes() {
        if (!tlsAttributesFound) {
            tlsAttributesFound = true;
            if (TlsAttributes.isKnown(exchange.connection())) {
                TlsAttributes.set(attributes(), exchange.connection());
            }
        }
    }

    @Override
    public void setAttribute(String name, @Nullable Object value) {
        if (TlsAttributes.mayBe(name)) {
            findTlsAttributes();
        }
        if (value == null) {
            removeAttribute(name);
        } else {
            attributes().set(name, value);
        }
    }

    @Override
    public void removeAttribute(String name) {
        if (TlsAttributes.mayBe(name)) {
            findTlsAttributes();
        }
        if (attributes != null) {
            attributes.remove(name);
        }
    }

    @Override
    public @Nullable RequestDispatcher getRequestDispatcher(@Nullable String path) {
        if (path == null) {
            return null;
        }
        if (path.startsWith("/")) {
            return Dispatchers.forPath(app, path);
        }
        // relative to the target of an include, if this is one (Servlet 3.1, 9.1)
        Object including = getAttribute(RequestDispatcher.INCLUDE_SERVLET_PATH);
        String base = view.type() == DispatcherType.INCLUDE && including != null
                ? including + java.util.Objects.toString(getAttribute(RequestDispatcher.INCLUDE_PATH_INFO), "")
                : view.match().path();
        return Dispatchers.forPath(app, PercentEncoding.encode(base.substring(0, base.lastIndexOf('/') + 1)) + path);
    }

    @Override
    public DispatcherType getDispatcherType() {
        return view.type();
    }

    @Override
    public ServletContext getServletContext() {
        return app.servletContext();
    }

    @Override
    @Deprecated
    public @Nullable String getRealPath(String path) {
        return app.servletContext().getRealPath(path);
    }

    // The request line.

    @Override
    public String getMethod() {
        return head.method();
    }

    @Override
    public String getRequestURI() {
        return view.requestUri();
    }

    @Override
    public StringBuffer getRequestURL() {
        return new StringBuffer(url(view.requestUri()));
    }

    @Override
    public String getContextPath() {
        return app.contextPath();
    }

    @Override
    public String getServletPath() {
        return view.match().servletPath();
    }

    @Override
    public @Nullable String getPathInfo() {
        return view.match().pathInfo();
    }

    @Override
    public @Nullable String getPathTranslated() {
        String info = getPathInfo();
        return info == null ? null : app.servletContext().getRealPath(info);
    }

    @Override
    public HttpServletMapping getHttpServletMapping() {
        return view.match();
    }

    @Override
    public @Nullable String getQueryString() {
        return view.query();
    }

    @Override
    public String getProtocol() {
        return head.version().toString();
    }

    @Override
    public String getScheme() {
        return head.scheme();
    }

    @Override
    public boolean isSecure() {
        return exchange.connection().isSecure() || head.scheme().equals("https");
    }

    @Override
    public String getServerName() {
        return authority().host();
    }

    @Override
    public int getServerPort() {
        return authority().port();
    }

    // Addresses. Names are never looked up: a request must not wait for a name server.

    @Override
    public String getRemoteAddr() {
        return Authority.Addresses.host(exchange.connection().remote());
    }

    @Override
    public String getRemoteHost() {
        return getRemoteAddr();
    }

    @Override
    public int getRemotePort() {
        return Authority.Addresses.port(exchange.connection().remote());
    }

    @Override
    public String getLocalAddr() {
        return Authority.Addresses.host(exchange.connection().local());
    }

    @Override
    public String getLocalName() {
        return Authority.Addresses.name(exchange.connection().local());
    }

    @Override
    public int getLocalPort() {
        return Authority.Addresses.port(exchange.connection().local());
    }

    // Header fields.

    @Override
    public @Nullable String getHeader(String name) {
        return head.headers().get(name);
    }

    @Override
    public Enumeration<String> getHeaders(String name) {
        return Collections.enumeration(head.headers().all(name));
    }

    @Override
    public Enumeration<String> getHeaderNames() {
        return Collections.enumeration(head.headers().names());
    }

    @Override
    public int getIntHeader(String name) {
        String value = getHeader(name);
        return value == null ? -1 : Integer.parseInt(value.trim());
    }

    @Override
    public long getDateHeader(String name) {
        String value = getHeader(name);
        return value == null ? -1 : HttpDates.parse(value);
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
    public Cookie @Nullable [] getCookies() {
        Cookie[] cookies = client().cookies();
        return cookies.length == 0 ? null : cookies.clone();
    }

    // The body.

    @Override
    public @Nullable String getContentType() {
        return getHeader("Content-Type");
    }

    @Override
    public int getContentLength() {
        long length = getContentLengthLong();
        return length > Integer.MAX_VALUE ? -1 : (int) length;
    }

    @Override
    public long getContentLengthLong() {
        return head.contentLength() > 0 || head.headers().contains("Content-Length") ? head.contentLength() : -1;
    }

    @Override
    public @Nullable String getCharacterEncoding() {
        if (encoding != null) {
            return encoding;
        }
        String sent = MediaType.charset(getContentType());
        return sent != null ? sent : app.servletContext().getRequestCharacterEncoding();
    }

    @Override
    public void setCharacterEncoding(String name) throws UnsupportedEncodingException {
        if (reader == null) {
            charset(name);
            encoding = name;
        }
    }

    private static Charset charset(String name) throws UnsupportedEncodingException {
        try {
            return Charset.forName(name);
        } catch (IllegalArgumentException e) {
            throw new UnsupportedEncodingException(name);
        }
    }

    @Override
    public ServletInputStream getInputStream() {
        if (reader != null) {
            throw new IllegalStateException("getReader() was called for this request; use one of the two");
        }
        if (input == null) {
            input = new ServletInput(this, exchange.inputStream());
        }
        return input;
    }

    @Override
    public BufferedReader getReader() throws IOException {
        if (reader == null) {
            if (input != null) {
                throw new IllegalStateException("getInputStream() was called for this request; use one of the two");
            }
            String name = getCharacterEncoding();
            Charset charset = name == null ? StandardCharsets.ISO_8859_1 : charset(name);
            ExchangeInputStream bytes = exchange.inputStream();
            reader = new BufferedReader(new InputStreamReader(bytes, charset));
        }
        return reader;
    }

    @Override
    public @Nullable String getParameter(String name) {
        return parameters().value(name);
    }

    @Override
    public Enumeration<String> getParameterNames() {
        return Collections.enumeration(parameters().names());
    }

    @Override
    public String @Nullable [] getParameterValues(String name) {
        return parameters().values(name);
    }

    @Override
    public Map<String, String[]> getParameterMap() {
        return parameters().map();
    }

    @Override
    public Collection<Part> getParts() throws IOException, ServletException {
        return client().form().parts();
    }

    @Override
    public @Nullable Part getPart(String name) throws IOException, ServletException {
        for (Part part : getParts()) {
            if (part.getName().equals(name)) {
                return part;
            }
        }
        return null;
    }

    // Session.

    @Override
    public @Nullable HttpSession getSession(boolean create) {
        return client().session().get(create);
    }

    @Override
    public HttpSession getSession() {
        return java.util.Objects.requireNonNull(getSession(true));
    }

    @Override
    public String changeSessionId() {
        return client().session().changeId();
    }

    @Override
    public @Nullable String getRequestedSessionId() {
        return client().session().requestedId();
    }

    @Override
    public boolean isRequestedSessionIdValid() {
        return client().session().isRequestedIdValid();
    }

    @Override
    public boolean isRequestedSessionIdFromCookie() {
        return client().session().isRequestedIdFromCookie();
    }

    @Override
    public boolean isRequestedSessionIdFromURL() {
        return client().session().isRequestedIdFromUrl();
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
        return security().isUserInRole(role, servlet().model().roleReferences);
    }

    @Override
    public boolean authenticate(HttpServletResponse to) throws IOException {
        return Verdicts.apply(security().authenticate(), to);
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
        return startAsync(this, response, true);
    }

    @Override
    public AsyncContext startAsync(ServletRequest suppliedRequest, ServletResponse suppliedResponse) {
        return startAsync(suppliedRequest, suppliedResponse, false);
    }

    private AsyncContext startAsync(ServletRequest with, ServletResponse to, boolean original) {
        AsyncCycle before = async;
        if (!asyncSupported) {
            throw new IllegalStateException(
                    "servlet " + servlet().getServletName()
                            + " or a filter before it does not support asynchronous requests; set async-supported on all of them");
        }
        if (ended || before != null && before.isStarted()) {
            throw new IllegalStateException(
                    ended ? "the request is over" : "startAsync() was called already and its cycle is not over");
        }
        AsyncCycle cycle = new AsyncCycle(this, with, to, original);
        async = cycle;
        if (before != null) {
            before.restartedAs(cycle);
        }
        return cycle;
    }

    @Override
    public boolean isAsyncStarted() {
        return async != null && async.isStarted();
    }

    @Override
    public boolean isAsyncSupported() {
        return asyncSupported;
    }

    @Override
    public AsyncContext getAsyncContext() {
        if (async == null) {
            throw new IllegalStateException("the request was not put into asynchronous mode by startAsync()");
        }
        return async;
    }

    @Override
    public <T extends HttpUpgradeHandler> T upgrade(Class<T> type) {
        throw new UnsupportedOperationException("HttpServletRequest.upgrade is not supported yet");
    }
}

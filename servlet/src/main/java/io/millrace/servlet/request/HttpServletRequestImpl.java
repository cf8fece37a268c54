package io.millrace.servlet.request;

import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.TunnelHandler;
import io.millrace.handler.PresetAttributes;
import io.millrace.http.HttpVersion;
import io.millrace.servlet.app.AppView;
import io.millrace.servlet.form.BodyPrefix;
import io.millrace.servlet.form.FormException;
import io.millrace.servlet.model.MultipartModel;
import io.millrace.servlet.security.RequestSecurity;
import io.millrace.servlet.session.RequestSession;
import io.millrace.servlet.settings.ContextOptions;
import io.millrace.servlet.settings.ServletOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UnsupportedEncodingException;
import java.security.Principal;
import java.util.Collection;
import java.util.Enumeration;
import java.util.Map;
import javax.servlet.AsyncContext;
import javax.servlet.ServletException;
import javax.servlet.ServletInputStream;
import javax.servlet.ServletRequest;
import javax.servlet.ServletRequestWrapper;
import javax.servlet.ServletResponse;
import javax.servlet.SessionTrackingMode;
import javax.servlet.http.Cookie;
import javax.servlet.http.HttpServletResponse;
import javax.servlet.http.HttpSession;
import javax.servlet.http.HttpUpgradeHandler;
import javax.servlet.http.Part;
import org.jspecify.annotations.Nullable;

/**
 * The Servlet API's request over an exchange: everything is read from the exchange on demand. {@link RequestHeadView} has what
 * the head says, {@link DispatchedRequest} what a dispatch changes; other classes have what takes more than a line. Confined to
 * the exchange's owner.
 */
@SuppressWarnings("InlineMeSuggester") // the API's deprecated methods are not ours to inline
public final class HttpServletRequestImpl extends DispatchedRequest {

    private final AppView home;
    /** The paths with which the request arrived. */
    private final DispatchView first;

    private final AsyncMode async;
    private final HttpServletResponseImpl response;
    private @Nullable RequestAttributes attributes;
    private @Nullable ClientValues client;
    private @Nullable RequestBody body;
    private @Nullable HttpUpgradeHandler upgrade;
    private @Nullable TunnelHandler tunnel;
    private volatile boolean ended;

    /**
     * The request of an exchange.
     *
     * @param view its paths in the application that it is mapped to
     * @param async starts asynchronous processing for the application
     */
    public HttpServletRequestImpl(HttpExchange exchange, DispatchView view, AsyncMode async) {
        super(exchange, view.app().connectorSettings(exchange), view);
        this.home = view.app();
        this.first = view;
        this.async = async;
        this.response = new HttpServletResponseImpl(home, exchange, this);
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

    /** The application that the request was mapped to. */
    public AppView home() {
        return home;
    }

    public HttpServletResponseImpl response() {
        return response;
    }

    public RequestSecurity security() {
        return client().security();
    }

    AsyncMode async() {
        return async;
    }

    @Override
    ClientValues client() {
        if (client == null) {
            client = new ClientValues(this, home, exchange());
        }
        return client;
    }

    /** The body as the application reads it. */
    RequestBody body() {
        if (body == null) {
            body = new RequestBody(this, exchange());
        }
        return body;
    }

    private RequestAttributes attributes() {
        if (attributes == null) {
            attributes = new RequestAttributes(
                    this, exchange().channel().info(), exchange().attributes().get(PresetAttributes.KEY));
        }
        return attributes;
    }

    /** Sets a container attribute, without notifying listeners; null removes it. */
    public void containerAttribute(String name, @Nullable Object value) {
        if (value != null || attributes != null) {
            attributes().setQuietly(name, value);
        }
    }

    /** Ends the request: application code no longer uses it, unless it kept a reference (Servlet 3.1, 3.12). */
    public void end() {
        try {
            LoggedValues.note(this);
            if (client != null || home.sessions().tracking().by(SessionTrackingMode.SSL)) {
                client().endSession();
            } else {
                home.sessions().accessInStore(exchange().request());
            }
        } finally {
            ended = true;
        }
    }

    boolean hasEnded() {
        return ended;
    }

    private void requireRunning(String caller) {
        if (ended) {
            throw new IllegalStateException(caller + " was called too late: the request has ended");
        }
    }

    /** True if parameters are parsed from its body. */
    public boolean takesForm() {
        return client().takesForm();
    }

    /**
     * The multipart-config of the servlet that the request was mapped to, as in Tomcat, else that of the current one; null if a
     * multipart body is not parsed.
     */
    public @Nullable MultipartModel multipart() {
        MultipartModel mapped = first.match().servlet().model().multipart;
        MultipartModel declared = mapped != null ? mapped : servlet().model().multipart;
        return declared == null && home.settings().get(ContextOptions.ALLOW_CASUAL_MULTIPART_PARSING)
                ? MultipartModel.undeclared(connector().get(ServletOptions.MAX_POST_SIZE))
                : declared;
    }

    /** Why the parameters or parts could not be read; null if they could, or were not requested. */
    public @Nullable FormException formRefusal() {
        return client == null ? null : client.form().refusal();
    }

    /** Keeps the part of the body that was received before dispatch, until the response has ended. */
    public void hold(BodyPrefix body) {
        client().hold(body);
    }

    /** The owner of the connection after a 101 response; null without an upgrade. */
    public @Nullable HttpUpgradeHandler upgradeHandler() {
        return upgrade;
    }

    /** The handler that takes over the exchange after a 101 response; null if there is none. */
    public @Nullable TunnelHandler tunnel() {
        return tunnel;
    }

    /** True if a handler was set that takes over the connection. */
    boolean isUpgrading() {
        return upgrade != null || tunnel != null;
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

    /** Releases what the client sent; called when the response has ended. */
    public void close() {
        if (client != null) {
            client.closeForm();
        }
    }

    // Attributes.

    @Override
    public @Nullable Object getAttribute(String name) {
        return attributes().get(name);
    }

    @Override
    public Enumeration<String> getAttributeNames() {
        return attributes().names();
    }

    @Override
    public void setAttribute(String name, @Nullable Object value) {
        attributes().set(name, value);
    }

    @Override
    public void removeAttribute(String name) {
        attributes().set(name, null);
    }

    // Cookies and the body.

    @Override
    public Cookie @Nullable [] getCookies() {
        Cookie[] cookies = client().cookies();
        return cookies.length == 0 ? null : cookies.clone();
    }

    @Override
    public @Nullable String getCharacterEncoding() {
        return body().encoding();
    }

    @Override
    public void setCharacterEncoding(String name) throws UnsupportedEncodingException {
        body().encoding(name);
    }

    @Override
    public ServletInputStream getInputStream() {
        return body().stream();
    }

    @Override
    public BufferedReader getReader() throws IOException {
        return body().reader();
    }

    @Override
    public boolean isTrailerFieldsReady() {
        return body().areTrailersReady();
    }

    @Override
    public Map<String, String> getTrailerFields() {
        return body().trailers();
    }

    @Override
    public Collection<Part> getParts() throws IOException, ServletException {
        return client().form().parts();
    }

    @Override
    public @Nullable Part getPart(String name) throws IOException, ServletException {
        return client().form().part(name);
    }

    // Session.

    private RequestSession session() {
        return client().session(app());
    }

    @Override
    public @Nullable HttpSession getSession(boolean create) {
        return session().get(create);
    }

    @Override
    public HttpSession getSession() {
        return java.util.Objects.requireNonNull(getSession(true));
    }

    @Override
    public String changeSessionId() {
        return session().changeId();
    }

    @Override
    public @Nullable String getRequestedSessionId() {
        return session().requestedId();
    }

    @Override
    public boolean isRequestedSessionIdValid() {
        return session().isRequestedIdValid();
    }

    @Override
    public boolean isRequestedSessionIdFromCookie() {
        return session().isRequestedIdFromCookie();
    }

    @Override
    public boolean isRequestedSessionIdFromURL() {
        return session().isRequestedIdFromUrl();
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
    public boolean authenticate(HttpServletResponse to) throws IOException, ServletException {
        if (to.isCommitted()) {
            throw new IllegalStateException(
                    "authenticate() was called too late to challenge the client: the response is committed");
        }
        return Verdicts.apply(security().authenticate(), this, to);
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
        if (exchange().request().version() == HttpVersion.HTTP_1_0) {
            throw new IllegalStateException("the client speaks HTTP/1.0, which has no upgrade");
        }
        T handler = app().instances().makeForRequest(type);
        response.switchProtocols();
        upgrade = handler;
        return handler;
    }
}

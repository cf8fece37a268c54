package io.millrace.servlet.request;

import io.millrace.exchange.HttpExchange;
import io.millrace.servlet.app.AppView;
import io.millrace.servlet.app.DispatchChain;
import io.millrace.servlet.app.ServletHolder;
import io.millrace.servlet.form.Parameters;
import io.millrace.servlet.uri.PercentEncoding;
import io.millrace.settings.Settings;
import java.util.Collections;
import java.util.Enumeration;
import java.util.Map;
import java.util.Objects;
import javax.servlet.DispatcherType;
import javax.servlet.RequestDispatcher;
import javax.servlet.ServletContext;
import javax.servlet.http.HttpServletMapping;
import javax.servlet.http.PushBuilder;
import org.jspecify.annotations.Nullable;

/**
 * What a dispatch changes of a request: its application and servlet, paths, query and parameters (Servlet 3.1, 9). Dispatchers
 * replace and restore them. Confined to the exchange's owner.
 */
@SuppressWarnings("InlineMeSuggester") // the API's deprecated methods are not ours to inline
abstract class DispatchedRequest extends RequestHeadView implements DispatchChain.AsyncScope {

    private AppView app;
    private DispatchView view;
    private DispatchView containerView;
    private @Nullable DispatchChain chain;
    private @Nullable Parameters parameters;
    private boolean asyncSupported = true;

    DispatchedRequest(HttpExchange exchange, Settings connector, DispatchView first) {
        super(exchange, connector);
        this.app = first.app();
        this.view = first;
        this.containerView = first;
    }

    // For the container.

    /** What the client sent beyond the head, including its form. */
    abstract ClientValues client();

    /** The current application: the one mapped to the request, or the target of a dispatch to another context. */
    public final AppView app() {
        return app;
    }

    /** Sets the current application and returns the previous one. */
    public final AppView enter(AppView next) {
        AppView before = app;
        app = next;
        return before;
    }

    /** The paths of the current dispatch. */
    public final DispatchView view() {
        return view;
    }

    /** Sets the paths of the current dispatch. */
    public final void view(DispatchView next) {
        view = next;
    }

    /**
     * Begins a dispatch by the container (the request, ERROR or ASYNC), to which earlier dispatches and their restrictions don't
     * apply.
     */
    public final void containerDispatch(DispatchView next) {
        view = next;
        containerView = next;
        asyncSupported = true;
    }

    /** The paths of the container's latest dispatch, regardless of forwards and includes. */
    public final DispatchView containerView() {
        return containerView;
    }

    /** Sets the chain of the current dispatch, and with it the current servlet. Returns the previous chain. */
    public final @Nullable DispatchChain enter(@Nullable DispatchChain next) {
        DispatchChain before = chain;
        chain = next;
        return before;
    }

    @Override
    public final void withoutAsync() {
        asyncSupported = false;
    }

    /** The current servlet. */
    public final ServletHolder servlet() {
        return chain == null ? view.match().servlet() : chain.servlet();
    }

    /** The parameters to restore after a dispatch; null: those of the request itself. */
    public final @Nullable Parameters savedParameters() {
        return parameters;
    }

    public final void restoreParameters(@Nullable Parameters saved) {
        parameters = saved;
    }

    /** Inserts a dispatcher's query before the existing parameters (Servlet 3.1, 9.1.1). */
    public final void addQuery(String query) {
        parameters = parameters().precededBy(query, client().queryCharset());
    }

    private Parameters parameters() {
        return parameters != null ? parameters : client().form().parameters();
    }

    // The dispatch and its context.

    @Override
    public final @Nullable RequestDispatcher getRequestDispatcher(@Nullable String path) {
        return path == null ? null : app.servletContext().getRequestDispatcher(resolve(path));
    }

    /** Resolves a dispatcher's path below the context path; in an include, relative to the include's target (Servlet 3.1, 9.1). */
    private String resolve(String path) {
        if (path.startsWith("/")) {
            return path;
        }
        Object including = getAttribute(RequestDispatcher.INCLUDE_SERVLET_PATH);
        String base = view.type() == DispatcherType.INCLUDE && including != null
                ? including + Objects.toString(getAttribute(RequestDispatcher.INCLUDE_PATH_INFO), "")
                : view.match().path();
        String directory = base.isEmpty() ? "/" : base.substring(0, base.lastIndexOf('/') + 1);
        return PercentEncoding.encode(directory) + path;
    }

    @Override
    public final DispatcherType getDispatcherType() {
        return view.type();
    }

    @Override
    public final ServletContext getServletContext() {
        return app.servletContext();
    }

    @Override
    @Deprecated
    public final @Nullable String getRealPath(String path) {
        return app.servletContext().getRealPath(path);
    }

    /** Whether all filters and servlets that this dispatch has reached so far support asynchronous processing. */
    @Override
    public final boolean isAsyncSupported() {
        return asyncSupported;
    }

    // The request line.

    @Override
    public final String getRequestURI() {
        return view.requestUri();
    }

    @Override
    public final StringBuffer getRequestURL() {
        return new StringBuffer(url(view.requestUri()));
    }

    @Override
    public final String getContextPath() {
        return view.contextPath();
    }

    @Override
    public final String getServletPath() {
        return view.match().servletPath();
    }

    @Override
    public final @Nullable String getPathInfo() {
        return view.match().pathInfo();
    }

    @Override
    public final @Nullable String getPathTranslated() {
        String info = getPathInfo();
        return info == null ? null : app.servletContext().getRealPath(info);
    }

    @Override
    public final HttpServletMapping getHttpServletMapping() {
        return view.match();
    }

    @Override
    public final @Nullable String getQueryString() {
        return view.query();
    }

    // Parameters: a dispatcher's query precedes the request's own.

    @Override
    public final @Nullable String getParameter(String name) {
        return parameters().value(name);
    }

    @Override
    public final Enumeration<String> getParameterNames() {
        return Collections.enumeration(parameters().names());
    }

    @Override
    public final String @Nullable [] getParameterValues(String name) {
        return parameters().values(name);
    }

    @Override
    public final Map<String, String[]> getParameterMap() {
        return parameters().map();
    }

    // Server push.

    @Override
    public final @Nullable PushBuilder newPushBuilder() {
        return exchange().canPush()
                ? new PushedRequest(this, exchange(), client().session(app).pushed())
                : null;
    }
}

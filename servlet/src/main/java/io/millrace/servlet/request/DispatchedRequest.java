package io.millrace.servlet.request;

import io.millrace.exchange.HttpExchange;
import io.millrace.servlet.ConnectorSettings;
import io.millrace.servlet.context.Dispatchers;
import io.millrace.servlet.context.ServletHolder;
import io.millrace.servlet.context.WebAppContext;
import java.util.Collections;
import java.util.Enumeration;
import java.util.Map;
import javax.servlet.DispatcherType;
import javax.servlet.RequestDispatcher;
import javax.servlet.ServletContext;
import javax.servlet.http.HttpServletMapping;
import org.jspecify.annotations.Nullable;

/**
 * What a dispatch changes of a request: the application and the servlet it is at, its paths, query and parameters (Servlet
 * 3.1, 9). For the owner of the exchange.
 */
@SuppressWarnings("InlineMeSuggester") // the API's deprecated methods are not ours to inline
abstract class DispatchedRequest extends RequestHeadView {

    private final DispatchState dispatch;

    DispatchedRequest(HttpExchange exchange, ConnectorSettings connector, DispatchView view) {
        super(exchange, connector);
        this.dispatch = new DispatchState(this, view);
    }

    // What the container needs of it.

    /** What the client sent beyond the head, its form among it. */
    abstract ClientValues client();

    /** The application that it is in: the one it came to, or one that it was passed on to. */
    public final WebAppContext app() {
        return dispatch.app();
    }

    /** Where it is on its way through the application. */
    public final DispatchState dispatch() {
        return dispatch;
    }

    /** The servlet whose turn it is. */
    public final ServletHolder servlet() {
        return dispatch.servlet();
    }

    // Where it is.

    @Override
    public final @Nullable RequestDispatcher getRequestDispatcher(@Nullable String path) {
        return path == null ? null : Dispatchers.forPath(app(), dispatch.resolve(path));
    }

    @Override
    public final DispatcherType getDispatcherType() {
        return dispatch.view().type();
    }

    @Override
    public final ServletContext getServletContext() {
        return app().servletContext();
    }

    @Override
    @Deprecated
    public final @Nullable String getRealPath(String path) {
        return app().servletContext().getRealPath(path);
    }

    @Override
    public final boolean isAsyncSupported() {
        return dispatch.isAsyncSupported();
    }

    // The request line.

    @Override
    public final String getRequestURI() {
        return dispatch.view().requestUri();
    }

    @Override
    public final StringBuffer getRequestURL() {
        return new StringBuffer(url(dispatch.view().requestUri()));
    }

    @Override
    public final String getContextPath() {
        return dispatch.view().app().contextPath();
    }

    @Override
    public final String getServletPath() {
        return dispatch.view().match().servletPath();
    }

    @Override
    public final @Nullable String getPathInfo() {
        return dispatch.view().match().pathInfo();
    }

    @Override
    public final @Nullable String getPathTranslated() {
        String info = getPathInfo();
        return info == null ? null : app().servletContext().getRealPath(info);
    }

    @Override
    public final HttpServletMapping getHttpServletMapping() {
        return dispatch.view().match();
    }

    @Override
    public final @Nullable String getQueryString() {
        return dispatch.view().query();
    }

    // Parameters: a dispatcher's query stands before the request's own.

    @Override
    public final @Nullable String getParameter(String name) {
        return dispatch.parameters().value(name);
    }

    @Override
    public final Enumeration<String> getParameterNames() {
        return Collections.enumeration(dispatch.parameters().names());
    }

    @Override
    public final String @Nullable [] getParameterValues(String name) {
        return dispatch.parameters().values(name);
    }

    @Override
    public final Map<String, String[]> getParameterMap() {
        return dispatch.parameters().map();
    }
}

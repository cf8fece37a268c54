package io.millrace.servlet.dispatch;

import io.millrace.servlet.app.AppView;
import io.millrace.servlet.app.DispatchChain;
import io.millrace.servlet.app.ServletMatch;
import io.millrace.servlet.request.Dispatch;
import io.millrace.servlet.request.DispatchView;
import io.millrace.servlet.request.HttpServletRequestImpl;
import io.millrace.servlet.request.HttpServletResponseImpl;
import java.io.IOException;
import java.util.List;
import javax.servlet.AsyncContext;
import javax.servlet.DispatcherType;
import javax.servlet.RequestDispatcher;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import org.jspecify.annotations.Nullable;

/**
 * Dispatches a request within its application, or to another of its host (Servlet 3.1, 9). For the time of the dispatch, the
 * container's request has other paths; the application's wrappers of it stay unchanged.
 */
final class ServletDispatcher implements RequestDispatcher {

    private final AppView app;
    private final @Nullable String requestUri;
    private final @Nullable String query;
    private final ServletMatch match;

    /** @param requestUri null for a named dispatcher, which changes neither paths nor attributes */
    ServletDispatcher(AppView app, @Nullable String requestUri, @Nullable String query, ServletMatch match) {
        this.app = app;
        this.requestUri = requestUri;
        this.query = query;
        this.match = match;
    }

    @Override
    public void forward(ServletRequest request, ServletResponse response) throws ServletException, IOException {
        if (response.isCommitted()) {
            throw new IllegalStateException("forward() was called too late: the response is committed");
        }
        response.resetBuffer();
        HttpServletRequestImpl inner = HttpServletRequestImpl.of(request);
        pass(DispatcherType.FORWARD, inner, request, response);
        if (!inner.isAsyncStarted() && inner.response().error() == null) {
            close(response);
        }
    }

    /** Closes the response before forward returns (Servlet 3.1, 9.4), through the application's wrappers. */
    private static void close(ServletResponse response) throws IOException {
        if (response instanceof HttpServletResponseImpl inner) {
            inner.closeBody();
            return;
        }
        try {
            response.getWriter().close();
        } catch (IllegalStateException e) {
            response.getOutputStream().close();
        }
    }

    /** Dispatches to an error page, keeping the status. */
    void error(HttpServletRequestImpl request) throws ServletException, IOException {
        pass(DispatcherType.ERROR, request, request, request.response());
    }

    /** Dispatches for AsyncContext, with the request and response passed to startAsync. */
    void async(HttpServletRequestImpl inner, ServletRequest request, ServletResponse response)
            throws ServletException, IOException {
        if (inner.getAttribute(AsyncContext.ASYNC_REQUEST_URI) == null) { // a later dispatch keeps the original paths
            DispatchAttributes.ASYNC.set(inner, inner.view());
        }
        String callerRole = inner.facts().servlet().model().runAs;
        if (callerRole != null) {
            inner.security().callAs(callerRole);
        }
        if (query != null) {
            inner.facts().addQuery(query);
        }
        inner.facts().containerDispatch(dispatch(view(DispatcherType.ASYNC, inner.view()), inner));
        DispatchChain chain = inner.facts().dispatch().chain();
        ContextScope visit = ContextScope.begin(app, inner);
        try {
            chain.run(inner, request, response);
        } finally {
            visit.end();
        }
    }

    /** The dispatch with these paths, which begins in the application that the request is in. */
    private Dispatch dispatch(DispatchView view, HttpServletRequestImpl inner) {
        Dispatch before = inner.facts().dispatch();
        return new Dispatch(before.app(), view, app.routes().chain(match, view.type()), before.parameters());
    }

    private DispatchView view(DispatcherType type, DispatchView before) {
        return requestUri == null
                ? before.as(type)
                : new DispatchView(
                        type, app, app.escapedContextPath(), requestUri, query != null ? query : before.query(), match);
    }

    private void pass(
            DispatcherType type, HttpServletRequestImpl inner, ServletRequest request, ServletResponse response)
            throws ServletException, IOException {
        DispatchView before = inner.view();
        boolean first = requestUri != null && inner.getAttribute(FORWARD_REQUEST_URI) == null;
        if (first) {
            DispatchAttributes.FORWARD.set(inner, before);
        }
        // the target of a forward within an include is not the included servlet: it would take those paths for its own
        Object[] included = DispatchAttributes.INCLUDE.take(inner);
        try {
            run(view(type, before), inner, request, response);
        } finally {
            DispatchAttributes.INCLUDE.restore(inner, included);
            if (first) {
                DispatchAttributes.FORWARD.remove(inner);
            }
        }
    }

    @Override
    public void include(ServletRequest request, ServletResponse response) throws ServletException, IOException {
        HttpServletRequestImpl inner = HttpServletRequestImpl.of(request);
        HttpServletResponseImpl out = HttpServletResponseImpl.of(response);
        DispatchView before = inner.view();
        Object[] attributes = DispatchAttributes.INCLUDE.take(inner);
        if (requestUri != null) {
            DispatchAttributes.INCLUDE.set(
                    inner,
                    new DispatchView(DispatcherType.INCLUDE, app, app.escapedContextPath(), requestUri, query, match));
        }
        out.beginInclude();
        try {
            run(before.as(DispatcherType.INCLUDE), inner, request, response);
        } finally {
            out.endInclude();
            DispatchAttributes.INCLUDE.restore(inner, attributes);
        }
    }

    private void run(DispatchView view, HttpServletRequestImpl inner, ServletRequest request, ServletResponse response)
            throws ServletException, IOException {
        Dispatch before = inner.facts().dispatch();
        Dispatch next = dispatch(view, inner);
        String callerRole = inner.facts().servlet().model().runAs;
        String calledAs = callerRole == null ? null : inner.security().callAs(callerRole);
        inner.facts().dispatch(next);
        ContextScope visit = ContextScope.begin(app, inner);
        try {
            if (query != null) {
                inner.facts().addQuery(query);
            }
            next.chain().run(inner, request, response);
        } finally {
            visit.end();
            inner.facts().dispatch(before);
            if (callerRole != null) {
                inner.security().calledAsBefore(calledAs);
            }
        }
    }

    /** The request attributes with the paths of another dispatch (Servlet 3.1, 9.3.1, 9.4.2, 9.7.2). */
    private static final class DispatchAttributes {
        /** The paths of the included servlet. */
        static final DispatchAttributes INCLUDE = new DispatchAttributes("javax.servlet.include.");

        /** The paths before the first forward. */
        static final DispatchAttributes FORWARD = new DispatchAttributes("javax.servlet.forward.");

        /** The paths before the first asynchronous dispatch (Servlet 3.1, 9.7.2). */
        static final DispatchAttributes ASYNC = new DispatchAttributes("javax.servlet.async.");

        private final List<String> names;

        private DispatchAttributes(String prefix) {
            names = List.of(
                    prefix + "request_uri",
                    prefix + "context_path",
                    prefix + "servlet_path",
                    prefix + "path_info",
                    prefix + "query_string",
                    prefix + "mapping");
        }

        void set(HttpServletRequestImpl request, DispatchView view) {
            restore(
                    request,
                    view.requestUri(),
                    view.contextPath(),
                    view.match().servletPath(),
                    view.match().pathInfo(),
                    view.query(),
                    view.match());
        }

        void remove(HttpServletRequestImpl request) {
            for (String name : names) {
                request.facts().containerAttribute(name, null);
            }
        }

        /** Removes them, and returns their values, to {@link #restore} when the dispatch has ended. */
        @Nullable
        Object[] take(HttpServletRequestImpl request) {
            @Nullable Object[] values = new @Nullable Object[names.size()];
            for (int i = 0; i < names.size(); i++) {
                values[i] = request.getAttribute(names.get(i));
            }
            remove(request);
            return values;
        }

        void restore(HttpServletRequestImpl request, @Nullable Object... values) {
            for (int i = 0; i < names.size(); i++) {
                request.facts().containerAttribute(names.get(i), values[i]);
            }
        }
    }
}

package io.millrace.servlet.dispatch;

import io.millrace.servlet.request.DispatchView;
import io.millrace.servlet.request.HttpServletRequestImpl;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The request attributes with the paths of another dispatch (Servlet 3.1, 9.3.1, 9.4.2, 9.7.2). */
final class DispatchAttributes {
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

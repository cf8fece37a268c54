package io.millrace.servlet.app;

import io.millrace.servlet.upgrade.UpgradePoint;
import java.io.IOException;
import javax.servlet.FilterChain;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

/** The filters, upgrade handlers and servlet of one dispatch. Immutable, and shared by requests. */
public final class DispatchChain {

    /** What a request allows within the filters and servlets that it has reached (ServletRequest.isAsyncSupported). */
    public interface AsyncScope {

        /** The request has reached a filter or servlet that does not support asynchronous processing. */
        void withoutAsync();
    }

    private final FilterHolder[] filters;

    /** Null in dispatches in which no request is upgraded. */
    private final @Nullable UpgradePoint upgrades;

    private final ServletHolder servlet;

    DispatchChain(FilterHolder[] filters, @Nullable UpgradePoint upgrades, ServletHolder servlet) {
        this.filters = filters;
        this.upgrades = upgrades;
        this.servlet = servlet;
    }

    public ServletHolder servlet() {
        return servlet;
    }

    /** Whether there are no filters. */
    public boolean isBare() {
        return filters.length == 0;
    }

    /**
     * Calls them.
     *
     * @param scope learns of each filter or servlet without support for asynchronous processing, before it is called
     */
    public void run(AsyncScope scope, ServletRequest request, ServletResponse response)
            throws IOException, ServletException {
        if (filters.length == 0) {
            end(scope, request, response);
        } else {
            new Chain(scope).doFilter(request, response);
        }
    }

    private void end(AsyncScope scope, ServletRequest request, ServletResponse response)
            throws IOException, ServletException {
        if (!servlet.model().asyncSupported) {
            scope.withoutAsync();
        }
        if (upgrades == null) {
            servlet.service(request, response);
        } else if (!upgrades.answer(request, response)) {
            if (servlet.isTunnelMissing(request)) {
                ((HttpServletResponse) response).sendError(HttpServletResponse.SC_NOT_IMPLEMENTED);
            } else {
                servlet.service(request, response);
            }
        }
    }

    /** The FilterChain of one request. */
    private final class Chain implements FilterChain {

        private final AsyncScope scope;
        private int next;

        Chain(AsyncScope scope) {
            this.scope = scope;
        }

        @Override
        public void doFilter(ServletRequest request, ServletResponse response) throws IOException, ServletException {
            if (next < filters.length) {
                int at = next++;
                FilterHolder filter = filters[at];
                if (!filter.model().asyncSupported) {
                    scope.withoutAsync();
                }
                try {
                    filter.filter().doFilter(request, response, this);
                } finally {
                    next = at; // a filter may call the rest of its chain more than once
                }
            } else {
                end(scope, request, response);
            }
        }
    }
}

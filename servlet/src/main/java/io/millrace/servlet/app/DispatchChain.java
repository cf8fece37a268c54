package io.millrace.servlet.app;

import io.millrace.servlet.upgrade.UpgradePoint;
import java.io.IOException;
import javax.servlet.FilterChain;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;

/** The filters and the servlet of one dispatch, and between them who answers upgrades. Immutable; one is used by many requests. */
public final class DispatchChain {

    private final FilterHolder[] filters;
    private final UpgradePoint upgrades;
    private final ServletHolder servlet;
    private final boolean asyncSupported;

    DispatchChain(FilterHolder[] filters, UpgradePoint upgrades, ServletHolder servlet) {
        this.filters = filters;
        this.upgrades = upgrades;
        this.servlet = servlet;
        boolean supported = servlet.model().asyncSupported;
        for (FilterHolder filter : filters) {
            supported &= filter.model().asyncSupported;
        }
        this.asyncSupported = supported;
    }

    public ServletHolder servlet() {
        return servlet;
    }

    /** True if all of them support asynchronous requests. */
    public boolean isAsyncSupported() {
        return asyncSupported;
    }

    /** True if there is the servlet alone. */
    public boolean isBare() {
        return filters.length == 0;
    }

    public void run(ServletRequest request, ServletResponse response) throws IOException, ServletException {
        if (filters.length == 0) {
            end(request, response);
        } else {
            new Walk().doFilter(request, response);
        }
    }

    private void end(ServletRequest request, ServletResponse response) throws IOException, ServletException {
        if (!upgrades.answer(request, response)) {
            servlet.service(request, response);
        }
    }

    /** One request on its way through the filters. */
    private final class Walk implements FilterChain {

        private int next;

        @Override
        public void doFilter(ServletRequest request, ServletResponse response) throws IOException, ServletException {
            if (next < filters.length) {
                int at = next++;
                try {
                    filters[at].filter().doFilter(request, response, this);
                } finally {
                    next = at; // a filter may call the rest of its chain more than once
                }
            } else {
                end(request, response);
            }
        }
    }
}

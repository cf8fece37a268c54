package io.millrace.servlet.app;

import io.millrace.servlet.upgrade.UpgradePoint;
import java.io.IOException;
import javax.servlet.FilterChain;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;

/** The filters, upgrade handlers and servlet of one dispatch. Immutable, and shared by requests. */
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

    /** True if the servlet and all filters support asynchronous processing. */
    public boolean isAsyncSupported() {
        return asyncSupported;
    }

    /** True if there are no filters. */
    public boolean isBare() {
        return filters.length == 0;
    }

    public void run(ServletRequest request, ServletResponse response) throws IOException, ServletException {
        if (filters.length == 0) {
            end(request, response);
        } else {
            new Chain().doFilter(request, response);
        }
    }

    private void end(ServletRequest request, ServletResponse response) throws IOException, ServletException {
        if (!upgrades.answer(request, response)) {
            servlet.service(request, response);
        }
    }

    /** The FilterChain of one request. */
    private final class Chain implements FilterChain {

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

package io.millrace.servlet.app;

import io.millrace.servlet.inject.Instances;
import io.millrace.servlet.model.FilterModel;
import java.util.Collections;
import java.util.Enumeration;
import javax.servlet.Filter;
import javax.servlet.FilterConfig;
import javax.servlet.ServletContext;
import javax.servlet.ServletException;
import org.jspecify.annotations.Nullable;

/** A filter's instance and configuration. Initialized before the first request, destroyed after the last. */
public final class FilterHolder implements FilterConfig {

    private final FilterModel model;
    private final Instances instances;
    private final ServletContext context;
    private final @Nullable Class<? extends Filter> type;
    private @Nullable Filter filter;
    private boolean initialized;

    public FilterHolder(
            FilterModel model,
            Instances instances,
            ServletContext context,
            @Nullable Class<? extends Filter> type,
            @Nullable Filter filter) {
        this.model = model;
        this.instances = instances;
        this.context = context;
        this.type = type;
        this.filter = filter;
    }

    public FilterModel model() {
        return model;
    }

    Filter filter() {
        if (filter == null) {
            throw new IllegalStateException("filter " + model.name + " is not initialized");
        }
        return filter;
    }

    public void init() throws ServletException {
        if (filter == null) {
            filter = type != null ? instances.make(type) : instances.make(model.className, Filter.class);
        }
        filter.init(this);
        initialized = true;
    }

    public void destroy() {
        if (initialized && filter != null) {
            initialized = false;
            try {
                filter.destroy();
            } finally {
                instances.releaseMade(filter);
            }
        }
    }

    @Override
    public String getFilterName() {
        return model.name;
    }

    @Override
    public ServletContext getServletContext() {
        return context;
    }

    @Override
    public @Nullable String getInitParameter(String name) {
        return model.initParameters.get(name);
    }

    @Override
    public Enumeration<String> getInitParameterNames() {
        return Collections.enumeration(model.initParameters.keySet());
    }
}

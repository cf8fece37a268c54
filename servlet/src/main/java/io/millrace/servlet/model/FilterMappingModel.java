package io.millrace.servlet.model;

import java.util.Set;
import javax.servlet.DispatcherType;
import org.jspecify.annotations.Nullable;

/**
 * filter-mapping: either a URL pattern or a servlet name; the other one is null.
 *
 * @param urlPattern decoded ({@link UrlPattern#decoded})
 * @param dispatchers never empty; only REQUEST if the mapping names none
 */
public record FilterMappingModel(
        String filterName,
        @Nullable String urlPattern,
        @Nullable String servletName,
        Set<DispatcherType> dispatchers) {}

package io.millrace.servlet.model;

import java.util.Set;
import javax.servlet.DispatcherType;
import org.jspecify.annotations.Nullable;

/**
 * Where a filter applies: a URL pattern or a servlet name, one of the two.
 *
 * @param dispatchers never empty; REQUEST alone if none were named
 */
public record FilterMappingModel(
        String filterName,
        @Nullable String urlPattern,
        @Nullable String servletName,
        Set<DispatcherType> dispatchers) {}

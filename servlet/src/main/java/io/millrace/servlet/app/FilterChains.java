package io.millrace.servlet.app;

import io.millrace.servlet.model.FilterMappingModel;
import io.millrace.servlet.upgrade.UpgradePoint;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.servlet.DispatcherType;
import org.jspecify.annotations.Nullable;

/**
 * Finds the filters of a dispatch: those mapped to the path, then those mapped to the servlet's name, each in the order of the
 * descriptor (Servlet 3.1, 6.2.4). Thread-safe.
 */
final class FilterChains {

    private final List<FilterMappingModel> mappings;
    private final Map<String, FilterHolder> filters;
    private final UpgradePoint upgrades;
    /** The dispatcher types whose URL patterns all match every path: their chains depend on the servlet only. */
    private final Set<DispatcherType> pathIndependent = EnumSet.allOf(DispatcherType.class);

    FilterChains(List<FilterMappingModel> mappings, Map<String, FilterHolder> filters, UpgradePoint upgrades) {
        this.mappings = List.copyOf(mappings);
        this.filters = filters;
        this.upgrades = upgrades;
        for (FilterMappingModel mapping : mappings) {
            if (mapping.urlPattern() != null && !mapping.urlPattern().equals("/*")) {
                pathIndependent.removeAll(mapping.dispatchers());
            }
        }
    }

    DispatchChain chain(ServletMatch match, DispatcherType type) {
        Mapping mapping = match.mapping;
        DispatchChain chain = mapping.cached(type);
        if (chain == null) {
            chain = find(mapping.servlet, type, mapping.kind == null ? null : match.path());
            if (mapping.kind == null || mapping.isSinglePath() || pathIndependent.contains(type)) {
                mapping.cache(type, chain);
            }
        }
        return chain;
    }

    /**
     * Tests all mappings.
     *
     * @param path null for a named dispatch, to which URL patterns don't apply
     */
    private DispatchChain find(ServletHolder servlet, DispatcherType type, @Nullable String path) {
        Set<FilterHolder> found = new LinkedHashSet<>();
        if (path != null) {
            for (FilterMappingModel mapping : mappings) {
                if (mapping.dispatchers().contains(type) && matches(mapping.urlPattern(), path)) {
                    add(mapping, found);
                }
            }
        }
        for (FilterMappingModel mapping : mappings) {
            String name = mapping.servletName();
            if (mapping.dispatchers().contains(type) && (servlet.name().equals(name) || "*".equals(name))) {
                add(mapping, found);
            }
        }
        boolean upgradable = type == DispatcherType.REQUEST || type == DispatcherType.FORWARD;
        return new DispatchChain(
                new ArrayList<>(found).toArray(FilterHolder[]::new),
                upgradable ? upgrades : new UpgradePoint(),
                servlet);
    }

    private void add(FilterMappingModel mapping, Set<FilterHolder> found) {
        FilterHolder filter = filters.get(mapping.filterName());
        if (filter != null) {
            found.add(filter);
        }
    }

    private static boolean matches(@Nullable String pattern, String path) {
        if (pattern == null) {
            return false;
        }
        if (pattern.equals("/*") || pattern.equals(path)) {
            return true;
        }
        if (pattern.endsWith("/*")) {
            int length = pattern.length() - 2;
            return path.regionMatches(0, pattern, 0, length) && (path.length() == length || path.charAt(length) == '/');
        }
        return pattern.startsWith("*.")
                && path.indexOf('/', path.length() - pattern.length() + 1) < 0
                && path.regionMatches(path.length() - pattern.length() + 1, pattern, 1, pattern.length() - 1);
    }
}

package io.millrace.servlet.app;

import io.millrace.servlet.model.FilterMappingModel;
import io.millrace.servlet.model.WebAppModel;
import io.millrace.servlet.resource.Resource;
import io.millrace.servlet.resource.ResourceTree;
import io.millrace.servlet.upgrade.UpgradePoint;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import javax.servlet.DispatcherType;
import org.jspecify.annotations.Nullable;

/** Maps paths to welcome files, servlets and filters. Immutable. */
public final class Routes {

    private final UrlMapper mapper;
    private final FilterChains chains;
    private final WelcomeFiles welcome;

    /** The routes to the components registered now. */
    public Routes(
            WebAppModel model,
            List<ServletHolder> servlets,
            Map<String, FilterHolder> filters,
            UpgradePoint upgrades,
            ResourceTree resources) {
        mapper = new UrlMapper(servlets);
        chains = new FilterChains(model.filterMappings, filters, upgrades);
        welcome = new WelcomeFiles(List.copyOf(model.welcomeFiles), mapper, path -> {
            Resource resource = resources.find(path);
            return resource != null && !resource.isDirectory();
        });
    }

    /**
     * The servlet for a path, or for its welcome file if it is a directory; null if there is none.
     *
     * @param path decoded, below the context path; begins with a slash, or is empty for the context path itself
     */
    public @Nullable ServletMatch match(String path) {
        if (path.isEmpty()) {
            return mapper.matchSpecific(path);
        }
        ServletMatch match = mapper.match(path);
        if (path.charAt(path.length() - 1) == '/' && (match == null || match.isDefault())) {
            ServletMatch better = welcome.find(path);
            return better != null ? better : match;
        }
        return match;
    }

    /** Whether a servlet is mapped to {@code /*}, and thereby to the context path without a slash. */
    public boolean takesContextPath() {
        return mapper.matchSpecific("") != null;
    }

    public DispatchChain chain(ServletMatch match, DispatcherType type) {
        return chains.chain(match, type);
    }

    /**
     * Finds the filters of a dispatch: those mapped to the path, then those mapped to the servlet's name, each in the order of the
     * descriptor (Servlet 3.1, 6.2.4). Thread-safe.
     */
    private static final class FilterChains {

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
                    new ArrayList<>(found).toArray(FilterHolder[]::new), upgradable ? upgrades : null, servlet);
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
                return path.regionMatches(0, pattern, 0, length)
                        && (path.length() == length || path.charAt(length) == '/');
            }
            return pattern.startsWith("*.")
                    && path.indexOf('/', path.length() - pattern.length() + 1) < 0
                    && path.regionMatches(path.length() - pattern.length() + 1, pattern, 1, pattern.length() - 1);
        }
    }

    /**
     * Finds the welcome file of a directory (Servlet 3.1, 10.10): the first that exists or matches an exact or prefix pattern;
     * otherwise the first that matches an extension pattern without being a file (index.do), except for JSP pages, which need their
     * file.
     */
    private static final class WelcomeFiles {

        private final List<String> names;
        private final UrlMapper mapper;
        private final Predicate<String> exists;

        WelcomeFiles(List<String> names, UrlMapper mapper, Predicate<String> exists) {
            this.names = names;
            this.mapper = mapper;
            this.exists = exists;
        }

        /**
         * The match; null if there is none.
         *
         * @param directory with a trailing slash
         */
        @Nullable
        ServletMatch find(String directory) {
            for (String name : names) {
                String path = path(directory, name);
                ServletMatch match = mapper.matchSpecific(path);
                if (match != null || exists.test(path)) {
                    return match != null ? match : mapper.match(path);
                }
            }
            for (String name : names) {
                ServletMatch match = mapper.matchExtension(path(directory, name));
                if (match != null && !match.getPattern().startsWith("*.jsp")) {
                    return match;
                }
            }
            return null;
        }

        private static String path(String directory, String name) {
            return name.startsWith("/") ? directory + name.substring(1) : directory + name;
        }
    }
}

package io.millrace.servlet.context;

import io.millrace.servlet.app.FilterHolder;
import io.millrace.servlet.app.ServletHolder;
import io.millrace.servlet.app.UrlMapper;
import io.millrace.servlet.inject.Instances;
import io.millrace.servlet.model.FilterMappingModel;
import io.millrace.servlet.model.FilterModel;
import io.millrace.servlet.model.MultipartModel;
import io.millrace.servlet.model.ServletModel;
import io.millrace.servlet.model.UrlPattern;
import io.millrace.servlet.model.WebAppModel;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.servlet.DispatcherType;
import javax.servlet.Filter;
import javax.servlet.FilterRegistration;
import javax.servlet.MultipartConfigElement;
import javax.servlet.Servlet;
import javax.servlet.ServletContext;
import javax.servlet.ServletRegistration;
import javax.servlet.ServletSecurityElement;
import javax.servlet.annotation.MultipartConfig;
import javax.servlet.annotation.ServletSecurity;
import org.jspecify.annotations.Nullable;

/**
 * The servlets and filters of an application, from its descriptor and from code, which are added to the model. Modified only by
 * the thread that starts the application.
 */
final class Registrations {

    private final WebAppModel model;
    private final Instances instances;
    private final ServletContext context;
    private final Phase phase;
    private final SecurityAnnotations security;
    private final Map<String, ServletHolder> servlets = new LinkedHashMap<>();
    private final Map<String, FilterHolder> filters = new LinkedHashMap<>();
    private final Map<String, ServletRegistrationImpl> servletRegistrations = new LinkedHashMap<>();
    private final Map<String, FilterRegistrationImpl> filterRegistrations = new LinkedHashMap<>();

    /** Patterns of the container's own servlets, and of the server's defaults, which the application may still map. */
    private final Map<String, ServletModel> overridable = new HashMap<>();

    /** How many filter mappings were inserted before those of the descriptor. */
    private int mappedBefore;

    Registrations(WebAppModel model, Instances instances, ServletContext context, Phase phase) {
        this.model = model;
        this.instances = instances;
        this.context = context;
        this.phase = phase;
        this.security = new SecurityAnnotations(model);
        for (ServletModel servlet : model.servlets.values()) {
            register(servlet, servlet.className, null, null);
        }
        for (ServletModel servlet : model.servlets.values()) {
            servlet.mappings.stream()
                    .filter(model.defaultMappings::contains)
                    .forEach(pattern -> overridable.put(pattern, servlet));
        }
        for (FilterModel filter : model.filters.values()) {
            register(filter, filter.className, null, null);
        }
    }

    private ServletRegistrationImpl register(
            ServletModel servlet,
            @Nullable String className,
            @Nullable Class<? extends Servlet> type,
            @Nullable Servlet instance) {
        servlets.put(servlet.name, new ServletHolder(servlet, instances, context, type, instance));
        ServletRegistrationImpl registration = new ServletRegistrationImpl(servlet, className, this, phase);
        servletRegistrations.put(servlet.name, registration);
        return registration;
    }

    private FilterRegistrationImpl register(
            FilterModel filter,
            @Nullable String className,
            @Nullable Class<? extends Filter> type,
            @Nullable Filter instance) {
        filters.put(filter.name, new FilterHolder(filter, instances, context, type, instance));
        FilterRegistrationImpl registration = new FilterRegistrationImpl(filter, className, this, phase);
        filterRegistrations.put(filter.name, registration);
        return registration;
    }

    /** Adds a servlet; null if the name has a complete registration (Servlet 3.1, 4.4.1). */
    ServletRegistration.@Nullable Dynamic addServlet(
            String name, String className, @Nullable Class<? extends Servlet> type, @Nullable Servlet instance) {
        phase.requireConfigurable();
        requireName(name);
        ServletModel servlet = model.servlet(name);
        ServletHolder known = servlets.get(name);
        if (isComplete(servlet, known)) {
            return null;
        }
        servlet.byDefault = false;
        servlet.className = className;
        Class<?> annotated = instance != null ? instance.getClass() : type != null ? type : loadable(className);
        if (annotated != null) {
            readAnnotations(servlet, annotated);
        }
        return register(servlet, className, type, instance);
    }

    /** False for a servlet without class in the descriptor, which code may complete (ServletContext.addServlet). */
    private static boolean isComplete(ServletModel servlet, @Nullable ServletHolder known) {
        return known != null
                && !servlet.byDefault
                && (servlet.className != null || servlet.jspFile != null || known.isGiven());
    }

    /**
     * Adds a container servlet, whose name and patterns the application may override. As with Tomcat's conf/web.xml, a mapping in a
     * descriptor replaces the patterns: a default servlet that is mapped to {@code /static/*} serves no other files.
     *
     * @return whether the application leaves the name to the container
     */
    boolean addOverridable(String name, Servlet servlet, String... patterns) {
        ServletModel own = model.servlet(name);
        boolean declared = servlets.containsKey(name) && own.className != null;
        if (own.mappings.isEmpty()) {
            mapUnowned(name, patterns);
        }
        if (declared) {
            return false;
        }
        register(own, servlet.getClass().getName(), null, servlet);
        return true;
    }

    /** Maps those of the patterns that no servlet has, until the application maps them. */
    void mapUnowned(String name, String... patterns) {
        ServletModel servlet = model.servlet(name);
        for (String pattern : patterns) {
            if (ownerOf(pattern) == null && !overridable.containsKey(pattern)) {
                servlet.mappings.add(pattern);
                overridable.put(pattern, servlet);
            }
        }
    }

    /**
     * Uses a container servlet where the descriptor names a class that only Tomcat has.
     *
     * @param name the name of the container's default instance, which the descriptor then only configures
     */
    void provide(String name, String className, Supplier<Servlet> maker) {
        for (ServletModel servlet : new ArrayList<>(model.servlets.values())) {
            if (className.equals(servlet.className)) {
                if (name.equals(servlet.name)) {
                    servlet.className = null;
                } else {
                    register(servlet, className, null, maker.get());
                }
            }
        }
    }

    /** Runs a page by another instance of the JSP engine's servlet. */
    void runPage(ServletModel page, ServletHolder engine) {
        servlets.put(page.name, engine.forPage(page));
    }

    /** Adds a JSP page as a servlet; null if the name has a complete registration. */
    ServletRegistration.@Nullable Dynamic addJspFile(String name, String file) {
        phase.requireConfigurable();
        requireName(name);
        ServletModel servlet = model.servlet(name);
        if (isComplete(servlet, servlets.get(name))) {
            return null;
        }
        servlet.byDefault = false;
        servlet.jspFile = file;
        return register(servlet, null, null, null);
    }

    FilterRegistration.@Nullable Dynamic addFilter(
            String name, String className, @Nullable Class<? extends Filter> type, @Nullable Filter instance) {
        phase.requireConfigurable();
        requireName(name);
        FilterModel filter = model.filter(name);
        if (filters.containsKey(name) && filter.className != null) {
            return null;
        }
        filter.className = className;
        return register(filter, className, type, instance);
    }

    private static void requireName(@Nullable String name) {
        if (name == null || name.isEmpty()) {
            throw new IllegalArgumentException("a servlet or filter needs a name");
        }
    }

    /** Applies annotations of a class that was registered in code to what code does not set (Servlet 3.1, 8.2.3). */
    private void readAnnotations(ServletModel servlet, Class<?> type) {
        MultipartConfig multipart = type.getAnnotation(MultipartConfig.class);
        if (multipart != null && servlet.multipart == null) {
            servlet.multipart = new MultipartModel(
                    multipart.location(),
                    multipart.maxFileSize(),
                    multipart.maxRequestSize(),
                    multipart.fileSizeThreshold());
        }
        ServletSecurity annotation = type.getAnnotation(ServletSecurity.class);
        if (annotation != null) {
            security.add(servlet, new ServletSecurityElement(annotation));
        }
        RoleAnnotations.read(type, servlet, model);
    }

    /** The class; null if it can't be loaded, which its first request reports. */
    private @Nullable Class<?> loadable(String className) {
        try {
            return Class.forName(className, false, instances.loader());
        } catch (ClassNotFoundException | LinkageError e) {
            return null;
        }
    }

    /** Sets the security of a servlet. Returns the patterns that the descriptor constrains, which stay unchanged. */
    Set<String> constrain(ServletModel servlet, ServletSecurityElement element) {
        return security.replace(servlet, element);
    }

    /** Adds the security constraints of annotations and code, once all patterns are known. */
    void settleSecurity() {
        security.settle();
    }

    @Nullable
    ServletModel ownerOf(String pattern) {
        for (ServletModel servlet : model.servlets.values()) {
            if (servlet.mappings.contains(pattern) && !overridable.containsKey(pattern)) {
                return servlet;
            }
        }
        return null;
    }

    void map(String pattern, ServletModel servlet) {
        ServletModel own = overridable.remove(pattern);
        if (own != null) {
            own.mappings.remove(pattern);
        }
        if (!servlet.mappings.contains(pattern)) {
            servlet.mappings.add(pattern);
        }
    }

    void map(List<FilterMappingModel> mappings, boolean after) {
        if (after) {
            model.filterMappings.addAll(mappings);
        } else {
            model.filterMappings.addAll(mappedBefore, mappings);
            mappedBefore += mappings.size();
        }
    }

    List<FilterMappingModel> filterMappings() {
        return model.filterMappings;
    }

    List<ServletHolder> servlets() {
        return new ArrayList<>(servlets.values());
    }

    @Nullable
    ServletHolder servlet(String name) {
        return servlets.get(name);
    }

    Map<String, FilterHolder> filters() {
        return filters;
    }

    Map<String, ServletRegistrationImpl> servletRegistrations() {
        return Map.copyOf(servletRegistrations);
    }

    Map<String, FilterRegistrationImpl> filterRegistrations() {
        return Map.copyOf(filterRegistrations);
    }

    /** The registration of a filter, which can be changed while the application starts. */
    static final class FilterRegistrationImpl extends RegistrationImpl implements FilterRegistration.Dynamic {

        private final FilterModel model;
        private final Registrations all;

        FilterRegistrationImpl(FilterModel model, @Nullable String className, Registrations all, Phase phase) {
            super(model.name, className, model.initParameters, phase);
            this.model = model;
            this.all = all;
        }

        @Override
        public void setAsyncSupported(boolean supported) {
            phase.requireConfigurable();
            model.asyncSupported = supported;
        }

        @Override
        public void addMappingForServletNames(
                @Nullable EnumSet<DispatcherType> types, boolean isMatchAfter, String... names) {
            add(names, isMatchAfter, name -> new FilterMappingModel(model.name, null, name, dispatchers(types)));
        }

        @Override
        public void addMappingForUrlPatterns(
                @Nullable EnumSet<DispatcherType> types, boolean isMatchAfter, String... patterns) {
            add(
                    patterns,
                    isMatchAfter,
                    pattern -> new FilterMappingModel(model.name, checked(pattern), null, dispatchers(types)));
        }

        /** Rejects a pattern that no path can match: the filter may be meant to restrict access. */
        private String checked(String given) {
            String pattern;
            String problem;
            try {
                pattern = UrlPattern.ofFilter(UrlPattern.decoded(given));
                problem = UrlPattern.problem(pattern);
            } catch (IllegalArgumentException e) {
                pattern = given;
                problem = e.getMessage();
            }
            if (problem != null) {
                throw new IllegalArgumentException(
                        "filter " + model.name + ": \"" + given + "\" is not a URL pattern: " + problem);
            }
            return pattern;
        }

        private void add(String[] targets, boolean after, Function<String, FilterMappingModel> mapping) {
            phase.requireConfigurable();
            if (targets == null || targets.length == 0) {
                throw new IllegalArgumentException(
                        "no servlet name or URL pattern to map the filter " + model.name + " to");
            }
            List<FilterMappingModel> added = new ArrayList<>();
            for (String target : targets) {
                added.add(mapping.apply(target));
            }
            all.map(added, after);
        }

        private static Set<DispatcherType> dispatchers(@Nullable EnumSet<DispatcherType> types) {
            return types == null || types.isEmpty() ? EnumSet.of(DispatcherType.REQUEST) : EnumSet.copyOf(types);
        }

        @Override
        public Collection<String> getServletNameMappings() {
            return targets(FilterMappingModel::servletName);
        }

        @Override
        public Collection<String> getUrlPatternMappings() {
            return targets(FilterMappingModel::urlPattern);
        }

        private Collection<String> targets(Function<FilterMappingModel, @Nullable String> part) {
            List<String> found = new ArrayList<>();
            for (FilterMappingModel mapping : all.filterMappings()) {
                String target = part.apply(mapping);
                if (mapping.filterName().equals(model.name) && target != null) {
                    found.add(Objects.requireNonNull(target));
                }
            }
            return found;
        }
    }

    /** The registration of a servlet, which can be changed while the application starts. */
    static final class ServletRegistrationImpl extends RegistrationImpl implements ServletRegistration.Dynamic {

        private final ServletModel model;
        private final Registrations all;

        ServletRegistrationImpl(ServletModel model, @Nullable String className, Registrations all, Phase phase) {
            super(model.name, className, model.initParameters, phase);
            this.model = model;
            this.all = all;
        }

        @Override
        public Set<String> addMapping(String... patterns) {
            phase.requireConfigurable();
            if (patterns == null || patterns.length == 0) {
                throw new IllegalArgumentException("no URL patterns for servlet " + model.name);
            }
            List<String> decoded = new ArrayList<>();
            Set<String> taken = new LinkedHashSet<>();
            for (String written : patterns) {
                String pattern = decoded(written);
                decoded.add(pattern);
                if (!UrlMapper.isValid(pattern)) {
                    throw new IllegalArgumentException(
                            "\"" + written + "\" is not a URL pattern: expected /path, /path/*, "
                                    + "*.extension, / or the empty string");
                }
                ServletModel owner = all.ownerOf(pattern);
                if (owner != null && !owner.equals(model)) {
                    taken.add(pattern);
                }
            }
            if (taken.isEmpty()) {
                for (String pattern : decoded) {
                    all.map(pattern, model);
                }
            }
            return taken;
        }

        private static String decoded(String written) {
            try {
                return UrlPattern.decoded(written);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("\"" + written + "\" is not a URL pattern: " + e.getMessage(), e);
            }
        }

        @Override
        public List<String> getMappings() {
            return List.copyOf(model.mappings);
        }

        @Override
        public @Nullable String getRunAsRole() {
            return model.runAs;
        }

        @Override
        public void setRunAsRole(String role) {
            phase.requireConfigurable();
            model.runAs = role;
        }

        @Override
        public void setLoadOnStartup(int order) {
            phase.requireConfigurable();
            model.loadOnStartup = order;
        }

        @Override
        public void setAsyncSupported(boolean supported) {
            phase.requireConfigurable();
            model.asyncSupported = supported;
        }

        @Override
        public void setMultipartConfig(MultipartConfigElement element) {
            phase.requireConfigurable();
            model.multipart = new MultipartModel(
                    element.getLocation(),
                    element.getMaxFileSize(),
                    element.getMaxRequestSize(),
                    element.getFileSizeThreshold());
        }

        @Override
        public Set<String> setServletSecurity(ServletSecurityElement element) {
            phase.requireConfigurable();
            return all.constrain(model, element);
        }
    }
}

package io.millrace.servlet.context;

import io.millrace.servlet.model.FilterMappingModel;
import io.millrace.servlet.model.FilterModel;
import io.millrace.servlet.model.UrlPattern;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import javax.servlet.DispatcherType;
import javax.servlet.FilterRegistration;
import org.jspecify.annotations.Nullable;

/** The registration of a filter, which can be changed while the application starts. */
final class FilterRegistrationImpl extends RegistrationImpl implements FilterRegistration.Dynamic {

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

package io.millrace.servlet.deploy.xml;

import io.millrace.servlet.model.DeploymentException;
import io.millrace.servlet.model.FilterMappingModel;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Merges fragments into web.xml (Servlet 3.1, 8.2.3): what web.xml says stands; what several may say is added up, in the
 * fragments' order; where two fragments contradict each other and web.xml is silent, the application is refused.
 *
 * <p>The fragments are summed first and laid under web.xml at the end, so that web.xml's own words are still known.
 */
public final class DescriptorMerge {

    private final Descriptor main;
    private final Descriptor sum = new Descriptor("the fragments");
    /** Which fragment said it first, by what was said. */
    private final Map<String, String> origins = new HashMap<>();

    private boolean allDistributable = true;

    public DescriptorMerge(Descriptor main) {
        this.main = main;
    }

    /**
     * Lays a jar's annotations under its fragment, or those of WEB-INF/classes under web.xml: descriptors win, and their
     * mappings of a servlet or filter replace the annotation's.
     */
    public static void underlay(Descriptor descriptor, Descriptor annotations) {
        addMappings(descriptor, annotations);
        annotations.servlets.forEach((name, servlet) -> descriptor.servlet(name).complete(servlet));
        annotations.filters.forEach((name, filter) -> descriptor.filter(name).complete(filter));
        descriptor.listeners.addAll(annotations.listeners);
    }

    /** Those of servlets and filters that the stronger one does not map itself. */
    private static void addMappings(Descriptor stronger, Descriptor weaker) {
        Map<String, String> own = Map.copyOf(stronger.servletMappings);
        weaker.servletMappings.forEach((pattern, servlet) -> {
            if (!own.containsValue(servlet)) {
                stronger.servletMappings.putIfAbsent(pattern, servlet);
            }
        });
        Descriptor before = new Descriptor(stronger.source);
        before.filterMappings.addAll(stronger.filterMappings);
        for (FilterMappingModel mapping : weaker.filterMappings) {
            if (!before.mapsFilter(mapping.filterName())) {
                stronger.filterMappings.add(mapping);
            }
        }
    }

    /** Adds a fragment, in order. */
    public void add(Descriptor fragment) throws DeploymentException {
        allDistributable &= fragment.distributable;
        addComponents(fragment);
        addMaps(fragment);
        addSettings(fragment);
        addLists(fragment);
    }

    private void addComponents(Descriptor fragment) throws DeploymentException {
        for (ServletDeclaration servlet : fragment.servlets.values()) {
            ServletDeclaration known = sum.servlets.get(servlet.name);
            if (known == null) {
                known = sum.servlet(servlet.name);
            } else if (!main.servlets.containsKey(servlet.name)) {
                refuseConflict("servlet " + servlet.name, known.conflict(servlet), fragment);
            }
            known.complete(servlet);
            origins.putIfAbsent("servlet " + servlet.name, fragment.source);
        }
        for (FilterDeclaration filter : fragment.filters.values()) {
            FilterDeclaration known = sum.filters.get(filter.name);
            if (known == null) {
                known = sum.filter(filter.name);
            } else if (!main.filters.containsKey(filter.name)) {
                refuseConflict("filter " + filter.name, known.conflict(filter), fragment);
            }
            known.complete(filter);
            origins.putIfAbsent("filter " + filter.name, fragment.source);
        }
    }

    private void refuseConflict(String what, @Nullable String conflict, Descriptor fragment)
            throws DeploymentException {
        if (conflict != null) {
            throw new DeploymentException(fragment.source + " and " + origins.get(what)
                    + " contradict each other about the " + conflict + " of " + what + "; set it in WEB-INF/web.xml");
        }
    }

    private void addMaps(Descriptor fragment) throws DeploymentException {
        union("context-param", fragment, main.contextParameters, sum.contextParameters, fragment.contextParameters);
        union("servlet-mapping", fragment, main.servletMappings, sum.servletMappings, fragment.servletMappings);
        union("error-page", fragment, main.errorPages, sum.errorPages, fragment.errorPages);
        union("mime-mapping", fragment, main.mimeTypes, sum.mimeTypes, fragment.mimeTypes);
        union("locale-encoding", fragment, main.localeEncodings, sum.localeEncodings, fragment.localeEncodings);
        union("reference", fragment, main.namingEntries, sum.namingEntries, fragment.namingEntries);
        union("taglib", fragment, main.taglibs, sum.taglibs, fragment.taglibs);
    }

    private <V> void union(
            String what, Descriptor fragment, Map<String, V> strongest, Map<String, V> known, Map<String, V> more)
            throws DeploymentException {
        for (Map.Entry<String, V> entry : more.entrySet()) {
            String key = what + " \"" + entry.getKey() + '"';
            V prior = known.putIfAbsent(entry.getKey(), entry.getValue());
            if (prior != null && !prior.equals(entry.getValue()) && !strongest.containsKey(entry.getKey())) {
                refuseConflict(key, "value", fragment);
            }
            origins.putIfAbsent(key, fragment.source);
        }
    }

    private void addSettings(Descriptor fragment) throws DeploymentException {
        refuseConflict("session-config", sum.session.conflict(fragment.session, main.session), fragment);
        sum.session.complete(fragment.session);
        origins.merge("session-config", fragment.source, (earlier, added) -> earlier + ", " + added);
        if (main.loginConfig == null && Overlay.differ(sum.loginConfig, fragment.loginConfig)) {
            refuseConflict("login-config", "value", fragment);
        }
        if (fragment.loginConfig != null) {
            origins.putIfAbsent("login-config", fragment.source);
        }
        sum.loginConfig = Overlay.first(sum.loginConfig, fragment.loginConfig);
        sum.displayName = Overlay.first(sum.displayName, fragment.displayName);
        sum.denyUncoveredHttpMethods |= fragment.denyUncoveredHttpMethods;
        sum.misspelt.addAll(fragment.misspelt);
    }

    private void addLists(Descriptor fragment) {
        sum.filterMappings.addAll(fragment.filterMappings);
        sum.listeners.addAll(fragment.listeners);
        sum.welcomeFiles.addAll(fragment.welcomeFiles);
        sum.postConstructMethods.addAll(fragment.postConstructMethods);
        sum.preDestroyMethods.addAll(fragment.preDestroyMethods);
        sum.jspPropertyGroups.addAll(fragment.jspPropertyGroups);
        sum.securityConstraints.addAll(fragment.securityConstraints);
        sum.securityRoles.addAll(fragment.securityRoles);
    }

    /** Lays the sum under web.xml and returns that. */
    public Descriptor finish() {
        lay(main, sum);
        main.distributable &= allDistributable;
        main.welcomeFiles.addAll(sum.welcomeFiles);
        return main;
    }

    /**
     * Lays a descriptor that holds for all applications under a complete one, as Tomcat does: its welcome files count where
     * there are no others, and what it says of servlets gives way to what is said in code.
     */
    public static void defaults(Descriptor complete, Descriptor weaker) {
        Set<String> servlets = Set.copyOf(complete.servlets.keySet());
        Set<String> patterns = Set.copyOf(complete.servletMappings.keySet());
        boolean welcomeFiles = complete.welcomeFiles.isEmpty();
        lay(complete, weaker);
        if (welcomeFiles) {
            complete.welcomeFiles.addAll(weaker.welcomeFiles);
        }
        complete.requestCharacterEncoding =
                Overlay.first(complete.requestCharacterEncoding, weaker.requestCharacterEncoding);
        complete.responseCharacterEncoding =
                Overlay.first(complete.responseCharacterEncoding, weaker.responseCharacterEncoding);
        complete.defaultSources.add(weaker.source);
        addNew(complete.servlets.keySet(), servlets, complete.defaultServlets);
        addNew(complete.servletMappings.keySet(), patterns, complete.defaultMappings);
    }

    private static void addNew(Set<String> now, Set<String> before, Set<String> to) {
        now.stream().filter(name -> !before.contains(name)).forEach(to::add);
    }

    /** All but what fragments and defaults are treated differently in. */
    private static void lay(Descriptor strong, Descriptor weak) {
        underlay(strong, weak);
        strong.denyUncoveredHttpMethods |= weak.denyUncoveredHttpMethods;
        strong.misspelt.addAll(weak.misspelt);
        strong.displayName = Overlay.first(strong.displayName, weak.displayName);
        strong.loginConfig = Overlay.first(strong.loginConfig, weak.loginConfig);
        strong.session.complete(weak.session);
        weak.contextParameters.forEach(strong.contextParameters::putIfAbsent);
        weak.errorPages.forEach(strong.errorPages::putIfAbsent);
        weak.mimeTypes.forEach(strong.mimeTypes::putIfAbsent);
        weak.localeEncodings.forEach(strong.localeEncodings::putIfAbsent);
        weak.namingEntries.forEach(strong.namingEntries::putIfAbsent);
        weak.taglibs.forEach(strong.taglibs::putIfAbsent);
        strong.postConstructMethods.addAll(weak.postConstructMethods);
        strong.preDestroyMethods.addAll(weak.preDestroyMethods);
        strong.jspPropertyGroups.addAll(weak.jspPropertyGroups);
        strong.securityConstraints.addAll(weak.securityConstraints);
        strong.securityRoles.addAll(weak.securityRoles);
    }
}

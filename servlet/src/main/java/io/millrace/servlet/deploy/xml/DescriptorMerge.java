package io.millrace.servlet.deploy.xml;

import io.millrace.servlet.model.DeploymentException;
import io.millrace.servlet.model.FilterMappingModel;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Merges fragments into web.xml (Servlet 3.1, 8.2.3): web.xml takes precedence, lists are concatenated in the fragments' order,
 * and the application is rejected if two fragments conflict and web.xml does not decide.
 *
 * <p>The fragments are merged first, and into web.xml at the end, so that web.xml's own declarations are known until then.
 */
public final class DescriptorMerge {

    private final Descriptor main;
    private final Descriptor merged = new Descriptor("the fragments");
    /** The first fragment with a declaration, by declaration. */
    private final Map<String, String> origins = new HashMap<>();

    private boolean allDistributable = true;

    public DescriptorMerge(Descriptor main) {
        this.main = main;
    }

    /**
     * Merges annotations into the descriptor of their JAR or WEB-INF/classes: the descriptor takes precedence, and its mappings
     * of a servlet or filter replace those of annotations.
     */
    public static void underlay(Descriptor descriptor, Descriptor annotations) {
        addMappings(descriptor, annotations);
        annotations.servlets.forEach((name, servlet) -> descriptor.servlet(name).complete(servlet));
        annotations.filters.forEach((name, filter) -> descriptor.filter(name).complete(filter));
        descriptor.listeners.addAll(annotations.listeners);
        descriptor.notes.addAll(annotations.notes);
    }

    /** Adds the mappings of servlets and filters that the stronger descriptor does not map. */
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

    /** Adds a fragment. Called in the fragments' order. */
    public void add(Descriptor fragment) throws DeploymentException {
        allDistributable &= fragment.distributable;
        addComponents(fragment);
        addMaps(fragment);
        addSettings(fragment);
        addLists(fragment);
    }

    private void addComponents(Descriptor fragment) throws DeploymentException {
        for (ServletDeclaration servlet : fragment.servlets.values()) {
            ServletDeclaration known = merged.servlets.get(servlet.name);
            if (known == null) {
                known = merged.servlet(servlet.name);
            } else if (!main.servlets.containsKey(servlet.name)) {
                refuseConflict("servlet " + servlet.name, known.conflict(servlet), fragment);
            }
            known.complete(servlet);
            origins.putIfAbsent("servlet " + servlet.name, fragment.source);
        }
        for (FilterDeclaration filter : fragment.filters.values()) {
            FilterDeclaration known = merged.filters.get(filter.name);
            if (known == null) {
                known = merged.filter(filter.name);
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
        union("context-param", fragment, main.contextParameters, merged.contextParameters, fragment.contextParameters);
        union("servlet-mapping", fragment, main.servletMappings, merged.servletMappings, fragment.servletMappings);
        union("error-page", fragment, main.errorPages, merged.errorPages, fragment.errorPages);
        union("mime-mapping", fragment, main.mimeTypes, merged.mimeTypes, fragment.mimeTypes);
        union("locale-encoding", fragment, main.localeEncodings, merged.localeEncodings, fragment.localeEncodings);
        union("reference", fragment, main.namingEntries, merged.namingEntries, fragment.namingEntries);
        union("taglib", fragment, main.taglibs, merged.taglibs, fragment.taglibs);
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
        refuseConflict("session-config", merged.session.conflict(fragment.session, main.session), fragment);
        merged.session.complete(fragment.session);
        origins.merge("session-config", fragment.source, (earlier, added) -> earlier + ", " + added);
        if (main.loginConfig == null && Overlay.differ(merged.loginConfig, fragment.loginConfig)) {
            refuseConflict("login-config", "value", fragment);
        }
        if (fragment.loginConfig != null) {
            origins.putIfAbsent("login-config", fragment.source);
        }
        merged.loginConfig = Overlay.first(merged.loginConfig, fragment.loginConfig);
        merged.displayName = Overlay.first(merged.displayName, fragment.displayName);
        merged.denyUncoveredHttpMethods |= fragment.denyUncoveredHttpMethods;
        merged.misspelt.addAll(fragment.misspelt);
        merged.unsetPlaceholders.addAll(fragment.unsetPlaceholders);
        merged.notes.addAll(fragment.notes);
    }

    private void addLists(Descriptor fragment) {
        merged.filterMappings.addAll(fragment.filterMappings);
        merged.listeners.addAll(fragment.listeners);
        merged.welcomeFiles.addAll(fragment.welcomeFiles);
        merged.postConstructMethods.addAll(fragment.postConstructMethods);
        merged.preDestroyMethods.addAll(fragment.preDestroyMethods);
        merged.jspPropertyGroups.addAll(fragment.jspPropertyGroups);
        merged.securityConstraints.addAll(fragment.securityConstraints);
        merged.securityRoles.addAll(fragment.securityRoles);
    }

    /** Merges the fragments into web.xml and returns it. */
    public Descriptor finish() {
        mergeCommon(main, merged);
        main.distributable &= allDistributable;
        main.welcomeFiles.addAll(merged.welcomeFiles);
        return main;
    }

    /**
     * Merges a default descriptor into a complete one, as Tomcat does: its welcome files apply if there are no others, and its
     * servlets and mappings can be overridden in code.
     */
    public static void defaults(Descriptor complete, Descriptor weaker) {
        Set<String> servlets = Set.copyOf(complete.servlets.keySet());
        Set<String> patterns = Set.copyOf(complete.servletMappings.keySet());
        boolean welcomeFiles = complete.welcomeFiles.isEmpty();
        mergeCommon(complete, weaker);
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

    /** Merges everything that fragments and defaults have in common. */
    private static void mergeCommon(Descriptor strong, Descriptor weak) {
        underlay(strong, weak);
        strong.denyUncoveredHttpMethods |= weak.denyUncoveredHttpMethods;
        strong.misspelt.addAll(weak.misspelt);
        strong.unsetPlaceholders.addAll(weak.unsetPlaceholders);
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

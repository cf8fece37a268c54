package io.millrace.servlet.deploy;

import io.millrace.servlet.deploy.xml.Descriptor;
import io.millrace.servlet.deploy.xml.FilterDeclaration;
import io.millrace.servlet.deploy.xml.ServletDeclaration;
import io.millrace.servlet.model.DeploymentException;
import io.millrace.servlet.model.FilterMappingModel;
import io.millrace.servlet.model.ServletModel;
import io.millrace.servlet.model.WebAppModel;
import java.util.List;
import java.util.Set;

/** Converts the merged descriptor into the container's model, and checks that mappings name declared servlets and filters. */
final class ModelBuilder {

    private static final List<String> WELCOME_FILES = List.of("index.html", "index.htm", "index.jsp");

    /** Servlets that every container has, which web.xml may map without declaring them. */
    private static final Set<String> BUILT_IN = Set.of("default", "jsp");

    private final Descriptor descriptor;
    private final WebAppModel model = new WebAppModel();

    private ModelBuilder(Descriptor descriptor) {
        this.descriptor = descriptor;
    }

    static WebAppModel build(Descriptor descriptor) throws DeploymentException {
        ModelBuilder builder = new ModelBuilder(descriptor);
        builder.settings();
        builder.servlets();
        builder.filters();
        builder.lists();
        return builder.model;
    }

    private void settings() {
        String version = descriptor.version;
        model.version = version == null ? model.version : version;
        model.displayName = descriptor.displayName;
        model.metadataComplete = descriptor.metadataComplete;
        model.distributable = descriptor.distributable;
        model.misspelt.addAll(descriptor.misspelt);
        model.unsetPlaceholders.addAll(descriptor.unsetPlaceholders);
        model.notes.addAll(descriptor.notes);
        model.denyUncoveredHttpMethods = descriptor.denyUncoveredHttpMethods;
        model.defaultContextPath = descriptor.defaultContextPath;
        model.requestCharacterEncoding = descriptor.requestCharacterEncoding;
        model.responseCharacterEncoding = descriptor.responseCharacterEncoding;
        model.loginConfig = descriptor.loginConfig;
        descriptor.session.fill(model.session);
    }

    private void servlets() throws DeploymentException {
        for (ServletDeclaration servlet : descriptor.servlets.values()) {
            if (servlet.className == null && servlet.jspFile == null && !BUILT_IN.contains(servlet.name)) {
                model.notes.add(
                        "servlet \"" + servlet.name + "\" has no <servlet-class> and no <jsp-file> in "
                                + descriptor.sources()
                                + ", and no class is annotated with this name: unless the application adds one, requests for it get status 404");
            }
            servlet.fill(model.servlet(servlet.name));
        }
        descriptor.defaultServlets.forEach(name -> model.servlet(name).byDefault = true);
        model.defaultMappings.addAll(descriptor.defaultMappings);
        descriptor.servletMappings.forEach(
                (pattern, name) -> model.servlet(name).mappings.add(pattern));
        for (ServletModel servlet : model.servlets.values()) {
            if (!descriptor.servlets.containsKey(servlet.name) && !BUILT_IN.contains(servlet.name)) {
                throw new DeploymentException(descriptor.sources() + " maps " + servlet.mappings + " to the servlet \""
                        + servlet.name + "\", which is not declared; add a <servlet> or remove the <servlet-mapping>");
            }
        }
    }

    private void filters() throws DeploymentException {
        for (FilterDeclaration filter : descriptor.filters.values()) {
            if (filter.className == null) {
                throw new DeploymentException("filter \"" + filter.name + "\" has no <filter-class> in "
                        + descriptor.sources() + ", and no class is annotated with this name");
            }
            filter.fill(model.filter(filter.name));
        }
        for (FilterMappingModel mapping : descriptor.filterMappings) {
            if (!model.filters.containsKey(mapping.filterName())) {
                throw new DeploymentException(descriptor.sources() + " maps the filter \"" + mapping.filterName()
                        + "\", which is not declared; add a <filter> or remove the <filter-mapping>");
            }
            model.filterMappings.add(mapping);
        }
    }

    private void lists() {
        model.contextParameters.putAll(descriptor.contextParameters);
        model.listeners.addAll(descriptor.listeners);
        model.welcomeFiles.addAll(descriptor.welcomeFiles.isEmpty() ? WELCOME_FILES : descriptor.welcomeFiles);
        model.errorPages.addAll(descriptor.errorPages.values());
        model.mimeTypes.putAll(StandardMimeTypes.defaults());
        model.mimeTypes.putAll(descriptor.mimeTypes);
        model.localeEncodings.putAll(descriptor.localeEncodings);
        model.namingEntries.addAll(descriptor.namingEntries.values());
        model.postConstructMethods.addAll(descriptor.postConstructMethods);
        model.preDestroyMethods.addAll(descriptor.preDestroyMethods);
        model.taglibs.putAll(descriptor.taglibs);
        model.jspPropertyGroups.addAll(descriptor.jspPropertyGroups);
        model.securityConstraints.addAll(descriptor.securityConstraints);
        model.securityRoles.addAll(descriptor.securityRoles);
    }
}

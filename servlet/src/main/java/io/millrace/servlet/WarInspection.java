package io.millrace.servlet;

import io.millrace.servlet.context.ComponentClasses;
import io.millrace.servlet.deploy.Deployment;
import io.millrace.servlet.deploy.scan.DeclaredEndpoints;
import io.millrace.servlet.identity.IdentityStore;
import io.millrace.servlet.model.DeploymentException;
import io.millrace.servlet.model.NamingEntryModel;
import io.millrace.servlet.model.WebAppModel;
import io.millrace.servlet.security.AccessControl;
import io.millrace.servlet.settings.ContainerServlets;
import io.millrace.settings.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The result of inspecting a WAR without running its code: sentences for the operator.
 *
 * @param defects what prevents its start; empty if no such defect is known
 * @param misspelt unknown elements of its descriptors, which are ignored, whose names resemble known ones
 * @param warnings what is missing, such as values of placeholders, and declarations that do not mean what a reader may take them for;
 *     neither prevents its start
 * @param absent those of the classes asked for that neither the application nor its parent class loader has
 * @param references the types of its resource-refs that say nothing else, by name; empty for one without a type
 * @param endpoints its WebSocket endpoints: each with its path, or the classes that choose them when the application starts
 */
public record WarInspection(
        List<String> defects,
        List<String> misspelt,
        List<String> warnings,
        Set<String> absent,
        Map<String, String> references,
        List<String> endpoints) {

    static final WarInspection NOTHING = refused(List.of());

    /** Of a WAR that cannot be read further. */
    static WarInspection refused(List<String> defects) {
        return new WarInspection(defects, List.of(), List.of(), Set.of(), Map.of(), List.of());
    }

    static WarInspection of(
            Deployment read, String contextPath, Settings settings, ContainerServlets container, Set<String> classes) {
        List<String> defects = new ArrayList<>(ComponentClasses.defects(read.model(), read.loader()));
        defects.addAll(ComponentClasses.forbidden(read.model(), read.loader(), container));
        String login = AccessControl.defect(read.model(), settings);
        if (login != null) {
            defects.add(login);
        }
        try {
            ApplicationRules.of(read, IdentityStore.NONE); // whether there are users is known at the start
        } catch (DeploymentException e) {
            defects.add(e.getMessage());
        }
        List<String> warnings =
                new ArrayList<>(ComponentClasses.absentServlets(read.model(), read.loader(), container));
        warnings.addAll(read.model().unsetPlaceholders);
        warnings.addAll(read.model().notes);
        return new WarInspection(
                defects,
                List.copyOf(read.model().misspelt),
                warnings,
                ComponentClasses.absent(classes, read.loader()),
                references(read.model()),
                sentences(read.endpoints(), contextPath));
    }

    private static Map<String, String> references(WebAppModel model) {
        Map<String, String> references = new TreeMap<>();
        model.namingEntries.stream()
                .filter(NamingEntryModel::isOpenReference)
                .forEach(entry -> references.put(entry.name(), entry.type() == null ? "" : entry.type()));
        return references;
    }

    private static List<String> sentences(DeclaredEndpoints endpoints, String contextPath) {
        if (!endpoints.choosers().isEmpty()) {
            return List.of("WebSocket endpoints: chosen at start by " + String.join(", ", endpoints.choosers()));
        }
        return endpoints.annotated().entrySet().stream()
                .map(endpoint -> "WebSocket endpoint " + endpoint.getValue() + " at " + contextPath + endpoint.getKey())
                .toList();
    }
}

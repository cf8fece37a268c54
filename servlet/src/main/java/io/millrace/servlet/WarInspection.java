package io.millrace.servlet;

import io.millrace.servlet.context.ComponentClasses;
import io.millrace.servlet.deploy.Deployment;
import io.millrace.servlet.deploy.scan.DeclaredEndpoints;
import io.millrace.servlet.security.AccessControl;
import io.millrace.settings.Settings;
import java.util.ArrayList;
import java.util.List;

/**
 * What a WAR says about itself before any of its code has run. Sentences for the operator.
 *
 * @param defects what would keep it from starting; empty if nothing is known to be wrong
 * @param misspelt elements of its descriptors that are ignored, and have nearly the names of others
 * @param warnings what it would start without
 * @param endpoints its WebSocket endpoints: each with its path, or which class chooses them when the application starts
 */
public record WarInspection(
        List<String> defects, List<String> misspelt, List<String> warnings, List<String> endpoints) {

    static final WarInspection NOTHING = new WarInspection(List.of(), List.of(), List.of(), List.of());

    static WarInspection of(Deployment read, String contextPath, Settings settings) {
        List<String> defects = new ArrayList<>(ComponentClasses.defects(read.model(), read.loader()));
        String login = AccessControl.defect(read.model(), settings);
        if (login != null) {
            defects.add(login);
        }
        return new WarInspection(
                defects,
                List.copyOf(read.model().misspelt),
                ComponentClasses.absentServlets(read.model(), read.loader()),
                sentences(read.endpoints(), contextPath));
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

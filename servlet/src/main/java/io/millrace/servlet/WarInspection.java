package io.millrace.servlet;

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
}

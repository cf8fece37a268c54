package io.millrace.standalone.differential;

import java.util.List;

/**
 * Requests of one client, one after the other.
 *
 * @param name the kind first, as a path: {@code redirect/relative/http10}
 * @param application whose trace is fetched, by its path in a URL
 */
public record Case(String name, String application, List<Step> steps) {

    String kind() {
        int slash = name.indexOf('/');
        return slash < 0 ? name : name.substring(0, slash);
    }
}

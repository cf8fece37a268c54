package io.millrace.standalone.config;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One element of Tomcat's vocabulary.
 *
 * @param attributes by name
 * @param children names of the elements it may hold
 */
record ElementRule(String name, Map<String, AttributeRule> attributes, Set<String> children) {

    static ElementRule of(String name, List<AttributeRule> attributes, String... children) {
        return new ElementRule(name, byName(attributes), Set.of(children));
    }

    /** In the order of the vocabulary. */
    private static Map<String, AttributeRule> byName(List<AttributeRule> attributes) {
        Map<String, AttributeRule> rules = new LinkedHashMap<>();
        attributes.forEach(rule -> rules.put(rule.name(), rule));
        return Collections.unmodifiableMap(rules);
    }
}

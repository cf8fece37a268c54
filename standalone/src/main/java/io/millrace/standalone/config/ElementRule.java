package io.millrace.standalone.config;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * One element of Tomcat's vocabulary.
 *
 * @param attributes by name
 * @param children names of the elements it may hold
 */
record ElementRule(String name, Map<String, AttributeRule> attributes, Set<String> children) {

    static ElementRule of(String name, List<AttributeRule> attributes, String... children) {
        return new ElementRule(
                name,
                attributes.stream().collect(Collectors.toMap(AttributeRule::name, Function.identity())),
                Set.of(children));
    }
}

package io.millrace.standalone.config;

import static io.millrace.settings.SettingType.TEXT;
import static io.millrace.standalone.config.AttributeRule.moot;
import static io.millrace.standalone.config.AttributeRule.works;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * One element of Tomcat's vocabulary.
 *
 * @param attributes by name
 * @param children names of the elements that it may contain
 */
record ElementRule(String name, Map<String, AttributeRule> attributes, Set<String> children) {

    static ElementRule of(String name, List<AttributeRule> attributes, String... children) {
        return new ElementRule(name, byName(attributes), Set.of(children));
    }

    /** A Valve of Engine, Host or Context, with the attributes that all have and its own. */
    static ElementRule valve(AttributeRule... own) {
        Stream<AttributeRule> common = Stream.of(works("className", TEXT, null), moot("asyncSupported"));
        return of("Valve", Stream.concat(common, Stream.of(own)).toList());
    }

    private static Map<String, AttributeRule> byName(List<AttributeRule> attributes) {
        Map<String, AttributeRule> rules = new LinkedHashMap<>();
        attributes.forEach(rule -> rules.put(rule.name(), rule));
        return Collections.unmodifiableMap(rules);
    }
}

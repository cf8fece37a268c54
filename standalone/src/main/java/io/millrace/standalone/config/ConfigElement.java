package io.millrace.standalone.config;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One element.
 *
 * @param line of its opening angle bracket
 * @param text what stands between its tags, without that of its children, stripped
 */
record ConfigElement(String name, int line, List<XmlAttribute> attributes, List<ConfigElement> children, String text) {

    @Nullable
    String value(String attribute) {
        return attributes.stream()
                .filter(candidate -> candidate.name().equals(attribute))
                .map(XmlAttribute::value)
                .findFirst()
                .orElse(null);
    }

    List<ConfigElement> children(String childName) {
        return children.stream().filter(child -> child.name().equals(childName)).toList();
    }
}

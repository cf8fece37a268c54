package io.millrace.standalone.config;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An XML element.
 *
 * @param line of its start tag, in the text that was parsed; {@link Problems} maps it to a file
 * @param where the line for messages: {@code line 7}, {@code line 7 of conf/hosts.xml}
 * @param text its character data without that of its children, stripped
 */
record ConfigElement(
        String name, int line, String where, List<XmlAttribute> attributes, List<ConfigElement> children, String text) {

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

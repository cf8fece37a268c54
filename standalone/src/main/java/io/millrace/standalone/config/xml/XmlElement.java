package io.millrace.standalone.config.xml;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An element of a configuration file, as it is written.
 *
 * @param line of its start tag, in the text that was parsed; {@link Problems} maps it to a file
 * @param where the line for messages: {@code line 7}, {@code line 7 of conf/hosts.xml}
 * @param text its character data without that of its children, stripped
 */
public record XmlElement(
        String name, int line, String where, List<Attribute> attributes, List<XmlElement> children, String text) {

    /** An attribute, with its placeholders replaced, and its line. */
    public record Attribute(String name, String value, int line) {}

    /** The value of an attribute; null if it is not written. */
    public @Nullable String value(String attribute) {
        return attributes.stream()
                .filter(candidate -> candidate.name().equals(attribute))
                .map(Attribute::value)
                .findFirst()
                .orElse(null);
    }
}

package io.millrace.standalone.config;

import io.millrace.settings.Settings;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The parsed attributes of an element, with Tomcat's defaults for missing ones. An invalid value reads as the default: the
 * validator has reported it as an error, and the server does not start with errors.
 */
public final class Values {

    private final ConfigElement element;
    private final ElementRule rule;

    Values(ConfigElement element, ElementRule rule) {
        this.element = element;
        this.rule = rule;
    }

    public int line() {
        return element.line();
    }

    /** Its line for messages, with its file if the configuration is split over several. */
    public String where() {
        return element.where();
    }

    /** The line of the attribute; that of the element if it is not set. */
    public int line(String name) {
        return element.attributes().stream()
                .filter(attribute -> attribute.name().equals(name))
                .mapToInt(XmlAttribute::line)
                .findFirst()
                .orElse(element.line());
    }

    /** Whether this element has such an attribute. */
    public boolean has(String name) {
        return rule.attributes().containsKey(name);
    }

    public boolean isSet(String name) {
        return element.value(name) != null;
    }

    /** The names of all attributes of this element. */
    Set<String> names() {
        return rule.attributes().keySet();
    }

    /** The value; null if it is missing and has no default. */
    public @Nullable String text(String name) {
        AttributeRule attribute = rule.attributes().get(name);
        if (attribute == null) {
            throw new IllegalStateException(rule.name() + " has no attribute " + name);
        }
        String value = element.value(name);
        return value != null && attribute.type().accepts(value) ? value : attribute.byDefault();
    }

    public String text(String name, String ifMissing) {
        String value = text(name);
        return value == null ? ifMissing : value;
    }

    /** The settings of the attributes. */
    public Settings settings() {
        return settings(Settings.DEFAULTS);
    }

    /** Applies the attributes to other settings. */
    public Settings settings(Settings base) {
        Settings settings = base;
        for (AttributeRule attribute : rule.attributes().values()) {
            String value = text(attribute.name());
            if (attribute.assignment() != null && value != null) {
                settings = attribute.assignment().set(settings, value, this);
            }
        }
        return settings;
    }

    public long number(String name, long ifMissing) {
        String value = text(name);
        return value == null ? ifMissing : Long.parseLong(value.strip());
    }

    /** The value of an attribute with a default. */
    public int number(String name) {
        return (int) number(name, 0);
    }

    public boolean flag(String name) {
        return Boolean.parseBoolean(text(name));
    }

    /** From milliseconds. */
    public Duration duration(String name) {
        return Duration.ofMillis(number(name, 0));
    }
}

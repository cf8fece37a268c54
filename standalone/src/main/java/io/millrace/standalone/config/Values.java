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

    /** Where the attribute stands, or the element if it doesn't. */
    public int line(String name) {
        return element.attributes().stream()
                .filter(attribute -> attribute.name().equals(name))
                .mapToInt(XmlAttribute::line)
                .findFirst()
                .orElse(element.line());
    }

    /** Can the attribute stand on this element? */
    public boolean has(String name) {
        return rule.attributes().containsKey(name);
    }

    public boolean isSet(String name) {
        return element.value(name) != null;
    }

    /** All that can stand on this element. */
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

    /** What the attributes mean for the settings that they belong to. */
    public Settings settings() {
        return settings(Settings.DEFAULTS);
    }

    /** The same on top of other settings. */
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

    /** One that has a default. */
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

package io.millrace.standalone.config.schema;

import io.millrace.settings.Setting;
import io.millrace.settings.Settings;
import io.millrace.standalone.config.xml.Problem;
import io.millrace.standalone.config.xml.Problems;
import io.millrace.standalone.config.xml.XmlElement;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An element that was read: its kind, its attributes as settings, and the elements in it. An invalid value reads as the default:
 * it was reported as an error, and the server does not start with errors. Compared by identity.
 */
public final class Element {

    /** Elements that restrict access, in any position. */
    static final Set<String> GUARDS = Set.of(
            "Valve",
            "Realm",
            "CredentialHandler",
            "Rules",
            "SSLHostConfig",
            "Certificate",
            "OpenSSLConf",
            "PreResources",
            "JarResources",
            "PostResources");

    /** A kind of element: its attributes, the elements that may be in it, and what is checked of all of them together. */
    public static class Kind {

        private final String name;
        private final @Nullable String className;
        private final Map<String, Attribute<?>> attributes;
        private final @Nullable Set<String> children;

        /** @param children the names of the elements that it may contain */
        public Kind(String name, List<Attribute<?>> attributes, String... children) {
            this(Set.of(children), name, null, attributes);
        }

        /** A kind that has a class of its own, which is not loaded. */
        public Kind(String name, String className, List<Attribute<?>> attributes, String... children) {
            this(Set.of(children), name, className, attributes);
        }

        /** A kind that may have any attributes and elements, as its class does in Tomcat. */
        public Kind(String name) {
            this(null, name, null, List.of());
        }

        private Kind(
                @Nullable Set<String> children,
                String name,
                @Nullable String className,
                List<Attribute<?>> attributes) {
            this.name = name;
            this.className = className;
            this.children = children;
            Map<String, Attribute<?>> byName = new LinkedHashMap<>();
            if (className != null) {
                byName.put("className", Attribute.className(className));
            }
            attributes.forEach(attribute -> byName.put(attribute.name(), attribute));
            this.attributes = Collections.unmodifiableMap(byName);
        }

        /** The name of its elements. */
        public final String name() {
            return name;
        }

        /** The class by which the kind is found; null if its name is enough. */
        public final @Nullable String className() {
            return className;
        }

        /** By name, in the order in which they take effect: a later one overrides an earlier one for the same setting. */
        public final Map<String, Attribute<?>> attributes() {
            return attributes;
        }

        /** The attribute of a name; null if there is none. */
        public @Nullable Attribute<?> attribute(String attribute) {
            return attributes.get(attribute);
        }

        /** Whether it may contain any elements, which are not checked: only the kind itself reads them. */
        public boolean isOpen() {
            return children == null;
        }

        final Set<String> children() {
            return children == null ? Set.of() : children;
        }

        /** Whether it restricts access, so that nothing in it may be ignored. */
        public boolean restricts() {
            return GUARDS.contains(name);
        }

        /** Whether it only observes, so that an attribute that cannot be read costs no more than what would be observed. */
        public boolean onlyObserves() {
            return false;
        }

        /**
         * Whether it works in an element of this name; otherwise reports why not, and what to do.
         *
         * @param parent contains elements of this name
         */
        public boolean isIn(String parent, XmlElement element, Problems problems) {
            return true;
        }

        /**
         * What an error within it costs, if that is a part only, because what the rest needs is not in it; null if it costs the
         * whole file. Who uses the element asks for its {@linkplain Element#defect defect} first.
         *
         * @param parent the name of the element that it is in
         */
        public Problem.@Nullable Severity costOfErrors(String parent) {
            return null;
        }

        /**
         * Reports invalid combinations of attributes and elements.
         *
         * @param parent the name of the element that it is in
         */
        public void check(Element element, String parent, Problems problems) {}

        @Override
        public String toString() {
            return className == null ? name : name + " " + className;
        }
    }

    private final XmlElement xml;
    private final Kind kind;
    private final Settings settings;
    private final List<Element> children;
    private final @Nullable String defect;

    Element(XmlElement xml, Kind kind, Settings settings, List<Element> children) {
        this(xml, kind, settings, children, null);
    }

    private Element(XmlElement xml, Kind kind, Settings settings, List<Element> children, @Nullable String defect) {
        this.xml = xml;
        this.kind = kind;
        this.settings = settings;
        this.children = children;
        this.defect = defect;
    }

    /** The element with the reason why it cannot be used; null for none. */
    Element unusable(@Nullable String reason) {
        return reason == null ? this : new Element(xml, kind, settings, children, reason);
    }

    /** Why it cannot be used, though what contains it can; null if no reason is known. */
    public @Nullable String defect() {
        return defect;
    }

    /** The name of the element. */
    public String name() {
        return xml.name();
    }

    /** What it is. */
    public Kind kind() {
        return kind;
    }

    /** The line of its start tag. */
    public int line() {
        return xml.line();
    }

    /** Its line for messages, with its file if the configuration is split over several. */
    public String where() {
        return xml.where();
    }

    /** Its character data. */
    public String text() {
        return xml.text();
    }

    /** The line of an attribute; that of the element if it is not written. */
    public int line(String attribute) {
        return xml.attributes().stream()
                .filter(written -> written.name().equals(attribute))
                .mapToInt(XmlElement.Attribute::line)
                .findFirst()
                .orElse(xml.line());
    }

    /** The line of a setting's attribute; that of the element if it is not written. */
    public int line(Setting<?> setting) {
        return line(setting.name());
    }

    /** Whether an attribute is written. */
    public boolean isSet(String attribute) {
        return xml.value(attribute) != null;
    }

    /** Whether a setting's attribute is written. */
    public boolean isSet(Setting<?> setting) {
        return isSet(setting.name());
    }

    /** What is written for an attribute; null without it. For elements of any attributes, and for messages. */
    public @Nullable String written(String attribute) {
        return xml.value(attribute);
    }

    /** What is in effect for an attribute as a text, for messages: what is written, or the default; null without either. */
    public @Nullable String shown(String attribute) {
        String text = xml.value(attribute);
        Attribute<?> known = kind.attribute(attribute);
        return text == null && known != null ? known.byDefault() : text;
    }

    /** All attributes as they are written, with their lines. */
    public List<XmlElement.Attribute> written() {
        return xml.attributes();
    }

    /** The value of a setting, or its default. */
    public <T> T get(Setting<T> setting) {
        return settings.get(setting);
    }

    /** The value of a setting, or its default; null if there is neither. */
    public <T> @Nullable T find(Setting<T> setting) {
        return settings.find(setting);
    }

    /** The settings of its attributes. */
    public Settings settings() {
        return settings;
    }

    /** The elements in it, without those that are unknown or misplaced. */
    public List<Element> children() {
        return children;
    }

    /** The elements of this name in it. */
    public List<Element> children(String name) {
        return children.stream().filter(child -> child.name().equals(name)).toList();
    }
}

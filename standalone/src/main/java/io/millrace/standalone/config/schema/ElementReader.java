package io.millrace.standalone.config.schema;

import io.millrace.settings.SettingType;
import io.millrace.settings.Settings;
import io.millrace.standalone.config.schema.Element.Kind;
import io.millrace.standalone.config.xml.Problem;
import io.millrace.standalone.config.xml.Problems;
import io.millrace.standalone.config.xml.XmlElement;
import io.millrace.text.EditDistance;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * Reads elements by their kinds: each attribute's text is parsed once, and names, values and attributes without effect are
 * reported. Whatever restricts access in Tomcat, or may have been meant to, is an error unless it is supported.
 */
public final class ElementReader {

    /** These choose a class before there is a bean, so that Tomcat knows them in lower case only. */
    private static final Set<String> NO_PROPERTIES = Set.of("className", "protocol");

    /** Attributes of other elements that restrict access: a misspelt one is an error. */
    private static final Set<String> GUARDING = Set.of(
            "SSLEnabled",
            "SSLVerifyClient",
            "address",
            "allowedRequestAttributesPattern",
            "clientAuth",
            "defaultContextXml",
            "defaultWebXml",
            "deployIgnore",
            "deployXML",
            "ipv6v6only",
            "proxyProtocol",
            "proxyProtocolTrusted",
            "refuseUnknownHosts",
            "requiredSecret",
            "secret",
            "secretRequired",
            "sessionAttributeNameFilter",
            "sessionAttributeValueClassNameFilter");

    /**
     * Limits of resources that clients may use, in a suggestion: instead of a misspelt one the default would apply, which may
     * permit more than was intended.
     */
    private static final Pattern LIMIT = Pattern.compile(
            "'(max\\w*(Size|Count|Streams|StreamExecution|Connections|Requests|Sessions)"
                    + "|[\\w.]+(Timeout|WindowSize|UploadRate|DownloadRate|MaxSize))'",
            Pattern.CASE_INSENSITIVE);

    /** Further attributes without which another port would be opened, or one that protects less, or more would be deployed. */
    private static final Set<String> NEEDED = Set.of(
            "port",
            "portOffset",
            "unixDomainSocketPath",
            "unixDomainSocketPathPermissions",
            "useInheritedChannel",
            "protocol",
            "secure",
            "deployOnStartup",
            "autoDeploy",
            "xmlBase");

    /** Attributes of Tomcat 4 to 7 whose names resemble others of today. */
    private static final Set<String> OF_OLD_TOMCATS = Set.of(
            "maxSpareThreads",
            "minProcessors",
            "maxProcessors",
            "emptySessionPath",
            "strategy",
            "useURIValidationHack",
            "liveDeploy");

    private final Function<XmlElement, Kind> kinds;
    private final Problems problems;

    /** @param kinds finds the kind of an element */
    public ElementReader(Function<XmlElement, Kind> kinds, Problems problems) {
        this.kinds = kinds;
        this.problems = problems;
    }

    /** Reads the root element of a file, and all elements in it. */
    public Element read(XmlElement root) {
        return read(root, kinds.apply(root), "");
    }

    /** An element that is not written: all its attributes have their defaults. */
    public static Element absent(Kind kind) {
        XmlElement none = new XmlElement(kind.name(), 0, "line 0", List.of(), List.of(), "");
        return new ElementReader(element -> kind, new Problems("")).read(none);
    }

    private Element read(XmlElement written, Kind kind, String parent) {
        XmlElement xml = canonical(written, kind);
        boolean hasAnyAttributes = kind.isOpen() && kind.attributes().isEmpty();
        Settings settings = hasAnyAttributes ? Settings.DEFAULTS : settings(xml, kind);
        return checked(new Element(xml, kind, settings, kind.isOpen() ? unchecked(xml) : children(xml, kind)), parent);
    }

    private Settings settings(XmlElement xml, Kind kind) {
        Map<String, Attribute.Change> changes = new HashMap<>();
        for (XmlElement.Attribute attribute : xml.attributes()) {
            Attribute.Change change = read(attribute, kind);
            if (change != null) {
                changes.put(attribute.name(), change);
            }
        }
        Settings settings = Settings.DEFAULTS;
        for (Attribute<?> attribute : kind.attributes().values()) {
            Attribute.Change change = changes.get(attribute.name());
            settings = (change == null ? attribute.readDefault() : change).apply(settings, xml);
        }
        return settings;
    }

    private List<Element> unchecked(XmlElement element) {
        ElementReader silent = new ElementReader(kinds, new Problems(""));
        return element.children().stream().map(silent::read).toList();
    }

    private Element checked(Element element, String parent) {
        element.kind().check(element, parent, problems);
        return element;
    }

    private List<Element> children(XmlElement element, Kind kind) {
        List<Element> children = new ArrayList<>();
        for (XmlElement child : element.children()) {
            if (!kind.children().contains(child.name())) {
                unknown(child, kind);
                continue;
            }
            Kind ofChild = kinds.apply(child);
            if (ofChild.isIn(kind.name(), child, problems)) {
                children.add(part(child, ofChild, kind.name()));
            }
        }
        return children;
    }

    private Element part(XmlElement child, Kind kind, String parent) {
        Problem.Severity part = kind.costOfErrors(parent);
        if (part == null) {
            return read(child, kind, parent);
        }
        int before = problems.size();
        Element read = problems.partial(part, () -> read(child, kind, parent));
        return read.unusable(problems.firstPartial(before));
    }

    private void unknown(XmlElement child, Kind parent) {
        String suggestion = EditDistance.suggestion(child.name(), parent.children());
        String text = "unknown element '" + child.name() + "' in " + parent.name() + suggestion;
        boolean guards =
                Element.GUARDS.contains(child.name()) || isNamed(suggestion, Element.GUARDS) || parent.restricts();
        report(guards, child.line(), text);
    }

    /** Tomcat sets attributes as properties of beans, so that {@code Secure} is {@code secure}. */
    private static XmlElement canonical(XmlElement element, Kind kind) {
        List<XmlElement.Attribute> attributes = element.attributes().stream()
                .map(attribute ->
                        kind.attribute(attribute.name()) == null ? canonical(attribute, element, kind) : attribute)
                .toList();
        return new XmlElement(
                element.name(), element.line(), element.where(), attributes, element.children(), element.text());
    }

    private static XmlElement.Attribute canonical(XmlElement.Attribute attribute, XmlElement element, Kind kind) {
        String name = attribute.name().substring(0, 1).toLowerCase(Locale.ROOT)
                + attribute.name().substring(1);
        boolean isProperty =
                kind.attribute(name) != null && !NO_PROPERTIES.contains(name) && element.value(name) == null;
        return isProperty ? new XmlElement.Attribute(name, attribute.value(), attribute.line()) : attribute;
    }

    /** Reads an attribute and reports what is wrong with it; null if it has no effect, so that its default has. */
    private Attribute.@Nullable Change read(XmlElement.Attribute written, Kind kind) {
        Attribute<?> attribute = kind.attribute(written.name());
        if (attribute == null) {
            unknown(written, kind);
            return null;
        }
        if (attribute.effect() == Attribute.Effect.NONE) { // whatever its value is
            if (!written.value().equalsIgnoreCase(attribute.byDefault())) {
                problems.warning(
                        written.line(),
                        written.name() + " on " + kind.name() + " is ignored"
                                + (attribute.reason() == null ? "" : ": " + attribute.reason()));
            }
            return null;
        }
        String shown = written.name() + "=\"" + written.value() + "\" on " + kind.name();
        if (isUnset(written.value()) && guards(attribute, kind)) {
            problems.error(
                    written.line(),
                    shown + " has no value, and without it less might be protected, or another port be opened; set it,"
                            + " or give it a default: ${name:-…}");
            return null;
        }
        Attribute.Change change = attribute.read(written.value());
        String without = "it is as if it were not there"
                + (attribute.byDefault() == null ? "" : ": the default is " + attribute.byDefault());
        if (change == null && isUnset(written.value())) {
            problems.warning(written.line(), shown + " has no value, so " + without);
        } else if (change == null) {
            String expected = shown + ": expected " + attribute.type().expected() + flaw(attribute, written.value());
            report(!kind.onlyObserves(), written.line(), kind.onlyObserves() ? expected + "; " + without : expected);
        } else if (attribute.type().remark(written.value()) != null) {
            problems.warning(written.line(), shown + " " + attribute.type().remark(written.value()));
        }
        return change;
    }

    private void unknown(XmlElement.Attribute attribute, Kind kind) {
        if (OF_OLD_TOMCATS.contains(attribute.name())) {
            problems.warning(
                    attribute.line(),
                    "the attribute '" + attribute.name() + "' on " + kind.name()
                            + " is one of old Tomcats, and has no effect in Tomcat 9 either; remove it");
            return;
        }
        String suggestion = EditDistance.suggestion(
                attribute.name(), new TreeSet<>(kind.attributes().keySet()));
        report(
                kind.restricts()
                        || isNamed(suggestion, GUARDING)
                        || LIMIT.matcher(suggestion).find(),
                attribute.line(),
                "unknown attribute '" + attribute.name() + "' on " + kind.name() + suggestion);
    }

    /** Whether a placeholder is left in it. */
    private static boolean isUnset(String value) {
        int begin = value.indexOf("${");
        return begin >= 0 && value.indexOf('}', begin) > 0;
    }

    /**
     * Whether an attribute without a value may admit somebody whom its value would not, or listen elsewhere: the default of a word
     * or number, and a text in which the placeholder stays. The texts of a Realm and a Certificate admit nobody then, and a Server
     * has no port.
     */
    private static boolean guards(Attribute<?> attribute, Kind kind) {
        if (attribute.effect() != Attribute.Effect.WORKS) {
            return false;
        }
        boolean open = attribute.type() == SettingType.TEXT && kind.name().equals("Realm")
                || kind.name().equals("Certificate")
                || kind.name().equals("Server") && !attribute.name().equals("portOffset");
        return !open
                && (kind.restricts()
                        || attribute.needed()
                        || GUARDING.contains(attribute.name())
                        || NEEDED.contains(attribute.name())
                        || LIMIT.matcher("'" + attribute.name() + "'").find());
    }

    /** What is wrong with a regular expression. */
    private static String flaw(Attribute<?> attribute, String value) {
        if (attribute.type() == SettingType.PATTERN) {
            try {
                Pattern.compile(value);
            } catch (PatternSyntaxException e) {
                return ", found: " + e.getDescription() + " at character " + (e.getIndex() + 1);
            }
        }
        return "";
    }

    private void report(boolean error, int line, String text) {
        if (error) {
            problems.error(line, text);
        } else {
            problems.warning(line, text);
        }
    }

    private static boolean isNamed(String suggestion, Set<String> names) {
        return names.stream().anyMatch(name -> suggestion.contains("'" + name + "'"));
    }
}

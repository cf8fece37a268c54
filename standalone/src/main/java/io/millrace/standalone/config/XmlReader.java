package io.millrace.standalone.config;

import io.millrace.text.Placeholders;
import io.millrace.text.XmlErrors;
import java.io.StringReader;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import javax.xml.stream.Location;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/** Parses XML into elements with line numbers. Supports no DTD, and no entities except the five of XML. */
final class XmlReader {

    /** These choose a class before there is a bean, so that Tomcat knows them in lower case only. */
    private static final Set<String> NO_PROPERTIES = Set.of("className", "protocol");

    private final Problems problems;
    private final Placeholders placeholders;
    private final TagLines lines;
    private final XMLStreamReader xml;
    private final Deque<Open> open = new ArrayDeque<>();

    private XmlReader(String text, Problems problems, Placeholders placeholders) throws XMLStreamException {
        this.problems = problems;
        this.placeholders = placeholders;
        this.lines = new TagLines(text);
        this.xml = hardened().createXMLStreamReader(new StringReader(text));
    }

    /** The root element; null if the text is not well formed, which is one error in {@code problems}. */
    static @Nullable ConfigElement read(String text, Problems problems, Placeholders placeholders) {
        try {
            return new XmlReader(text, problems, placeholders).root();
        } catch (XMLStreamException e) {
            Location at = e.getLocation();
            problems.error(
                    at == null ? 0 : at.getLineNumber(),
                    "not well-formed XML: " + XmlErrors.explain(String.valueOf(e.getMessage())));
            return null;
        }
    }

    /** A configuration file of someone else must not make the server fetch anything. */
    private static XMLInputFactory hardened() {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_NAMESPACE_AWARE, false);
        return factory;
    }

    private @Nullable ConfigElement root() throws XMLStreamException {
        while (xml.hasNext()) {
            switch (xml.next()) {
                case XMLStreamConstants.START_ELEMENT -> open.push(begin());
                case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA -> text(xml.getText());
                case XMLStreamConstants.END_ELEMENT -> {
                    ConfigElement done = end(open.pop());
                    if (open.isEmpty()) {
                        return done;
                    }
                    open.element().children.add(done);
                }
                case XMLStreamConstants.DTD ->
                    problems.error(
                            xml.getLocation().getLineNumber(),
                            "a DOCTYPE is not permitted here; remove it, and replace its entities by their contents");
                default -> {}
            }
        }
        return null;
    }

    private void text(String characters) {
        if (!open.isEmpty()) {
            open.element().text.append(characters);
        }
    }

    private Open begin() {
        Location end = xml.getLocation();
        int start = lines.tagStart(end.getLineNumber(), end.getColumnNumber());
        Open element = new Open(xml.getLocalName(), lines.lineAt(start));
        Map<String, Integer> attributeLines = lines.attributeLines(start);
        for (int i = 0; i < xml.getAttributeCount(); i++) {
            String name = xml.getAttributeLocalName(i);
            if (ofSchemas(name) || ofSchemas(xml.getAttributePrefix(i))) {
                continue;
            }
            int line = attributeLines.getOrDefault(name, element.line);
            String value = placeholders.replace(xml.getAttributeValue(i), unknown -> unknown(name, unknown, line));
            element.attributes.add(new XmlAttribute(name, value, line));
        }
        return element;
    }

    /** Whether it declares a namespace or a schema, which say nothing to Tomcat either. */
    private static boolean ofSchemas(String name) {
        return name.equals("xmlns") || name.equals("xsi");
    }

    private ConfigElement end(Open element) {
        String text = element.text.toString().strip();
        String replaced =
                placeholders.replace(text, unknown -> unknown("the text of " + element.name, unknown, element.line));
        return canonical(new ConfigElement(
                element.name,
                element.line,
                problems.where(element.line),
                element.attributes,
                element.children,
                replaced));
    }

    /** Tomcat sets attributes as properties of beans, so that {@code Secure} is {@code secure}. */
    private static ConfigElement canonical(ConfigElement element) {
        ElementRule rule = Vocabulary.of(element);
        if (rule == null) {
            return element;
        }
        Set<String> known = rule.attributes().keySet();
        List<XmlAttribute> attributes = element.attributes().stream()
                .map(attribute -> known.contains(attribute.name()) ? attribute : canonical(attribute, element, known))
                .toList();
        return new ConfigElement(
                element.name(), element.line(), element.where(), attributes, element.children(), element.text());
    }

    private static XmlAttribute canonical(XmlAttribute attribute, ConfigElement element, Set<String> known) {
        String name = attribute.name().substring(0, 1).toLowerCase(Locale.ROOT)
                + attribute.name().substring(1);
        boolean isProperty = known.contains(name) && !NO_PROPERTIES.contains(name) && element.value(name) == null;
        return isProperty ? new XmlAttribute(name, attribute.value(), attribute.line()) : attribute;
    }

    /** An unresolved placeholder is no secret: an error for secrets and passwords, a warning for others. */
    private void unknown(String attribute, String variable, int line) {
        String text = "no system property or environment variable is named '" + variable + "'";
        String lowerCase = attribute.toLowerCase(Locale.ROOT);
        if (lowerCase.contains("secret") || lowerCase.contains("pass")) {
            problems.error(
                    line,
                    text + ", so " + attribute + " would be the placeholder itself; set it, or give it another value");
        } else {
            problems.warning(line, text + "; " + Placeholders.remedy(variable));
        }
    }

    private static final class Open {

        private final String name;
        private final int line;
        private final List<XmlAttribute> attributes = new ArrayList<>();
        private final List<ConfigElement> children = new ArrayList<>();
        private final StringBuilder text = new StringBuilder();

        Open(String name, int line) {
            this.name = name;
            this.line = line;
        }
    }
}

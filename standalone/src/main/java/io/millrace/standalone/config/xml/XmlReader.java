package io.millrace.standalone.config.xml;

import io.millrace.text.Placeholders;
import io.millrace.text.XmlErrors;
import java.io.StringReader;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import javax.xml.stream.Location;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/** Parses XML into elements with line numbers. Supports no DTD, and no entities except the five of XML. */
public final class XmlReader {

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
    public static @Nullable XmlElement read(String text, Problems problems, Placeholders placeholders) {
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

    private @Nullable XmlElement root() throws XMLStreamException {
        while (xml.hasNext()) {
            switch (xml.next()) {
                case XMLStreamConstants.START_ELEMENT -> open.push(begin());
                case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA -> text(xml.getText());
                case XMLStreamConstants.END_ELEMENT -> {
                    XmlElement done = end(open.pop());
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
            element.attributes.add(new XmlElement.Attribute(name, value, line));
        }
        return element;
    }

    /** Whether it declares a namespace or a schema, which say nothing to Tomcat either. */
    private static boolean ofSchemas(String name) {
        return name.equals("xmlns") || name.equals("xsi");
    }

    private XmlElement end(Open element) {
        String text = element.text.toString().strip();
        String replaced =
                placeholders.replace(text, unknown -> unknown("the text of " + element.name, unknown, element.line));
        return new XmlElement(
                element.name,
                element.line,
                problems.where(element.line),
                element.attributes,
                element.children,
                replaced);
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
        private final List<XmlElement.Attribute> attributes = new ArrayList<>();
        private final List<XmlElement> children = new ArrayList<>();
        private final StringBuilder text = new StringBuilder();

        Open(String name, int line) {
            this.name = name;
            this.line = line;
        }
    }

    /**
     * Finds the lines of a tag and of its attributes in the text of a file. A StAX reader reports only where a tag ends, and a
     * Connector often has one attribute per line.
     */
    private static final class TagLines {

        private final String text;
        /** The offset of each line; index 0 is line 1. */
        private final int[] starts;

        TagLines(String text) {
            this.text = text;
            this.starts = lineStarts(text);
        }

        private static int[] lineStarts(String text) {
            return IntStream.concat(
                            IntStream.of(0),
                            IntStream.range(0, text.length())
                                    .filter(i -> text.charAt(i) == '\n')
                                    .map(i -> i + 1))
                    .toArray();
        }

        /** The offset of the tag that ends just before a position; XML forbids '<' inside a tag. */
        int tagStart(int endLine, int endColumn) {
            int end = starts[Math.min(endLine, starts.length) - 1] + endColumn - 1;
            return Math.max(0, text.lastIndexOf('<', Math.min(end, text.length()) - 1));
        }

        int lineAt(int offset) {
            int found = Arrays.binarySearch(starts, offset);
            return found >= 0 ? found + 1 : -found - 1;
        }

        /** The line of each attribute of the tag that begins at an offset. */
        Map<String, Integer> attributeLines(int tagStart) {
            Map<String, Integer> lines = new HashMap<>();
            int at = tagStart + 1;
            int nameStart = at;
            while (at < text.length() && text.charAt(at) != '>') {
                char c = text.charAt(at);
                if (c == '=') {
                    String name = text.substring(nameStart, at).strip();
                    lines.put(name, lineAt(text.indexOf(name, nameStart)));
                }
                if (c == '"' || c == '\'') {
                    at = text.indexOf(c, at + 1);
                    if (at < 0) {
                        return lines;
                    }
                    nameStart = at + 1;
                } else if (Character.isWhitespace(c) && !nextIsEquals(at)) {
                    nameStart = at + 1;
                }
                at++;
            }
            return lines;
        }

        private boolean nextIsEquals(int at) {
            int next = at;
            while (next < text.length() && Character.isWhitespace(text.charAt(next))) {
                next++;
            }
            return next < text.length() && text.charAt(next) == '=';
        }
    }
}

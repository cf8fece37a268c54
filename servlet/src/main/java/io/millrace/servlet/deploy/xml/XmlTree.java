package io.millrace.servlet.deploy.xml;

import io.millrace.servlet.model.DeploymentException;
import io.millrace.text.Placeholders;
import io.millrace.text.XmlErrors;
import io.millrace.text.XmlText;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.xml.stream.Location;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/**
 * Parses a descriptor into elements, without reading other files. The DTDs of 2.2 and 2.3 descriptors are treated as empty; a
 * reference to an external entity is an error, because it may contain a constraint. Internal entities are expanded, up to a total
 * size. Placeholders in attributes and texts are replaced by system properties, as in Tomcat; one without a value or a default stays.
 */
final class XmlTree {

    /** Deeper than any descriptor; bounds the stack of open elements. */
    private static final int MAX_DEPTH = 64;

    /** The limit of expanded entities, in characters, against exponential expansion. */
    private static final int MAX_ENTITY_SIZE = 1_000_000;

    private static final Set<String> GUARDS = Set.of("web-resource-collection", "filter-mapping");

    private static final Set<String> REQUESTS = Set.of("url-pattern", "http-method", "http-method-omission");

    private static final Placeholders PLACEHOLDERS = Placeholders.ofProperties();

    private final String source;
    private final List<String> unset;
    private final Deque<DescriptorElement> open = new ArrayDeque<>();
    private @Nullable DescriptorElement root;
    private String doctype = "";
    /** The system id of the external entity that was referenced. */
    private @Nullable String outside;

    private XmlTree(String source, List<String> unset) {
        this.source = source;
        this.unset = unset;
    }

    /**
     * Parses a descriptor.
     *
     * @param source the file's name, for messages
     * @param unset receives a sentence for each placeholder without a value
     */
    static XmlDocument parse(String source, byte[] bytes, List<String> unset) throws DeploymentException {
        return new XmlTree(source, unset).parse(bytes);
    }

    private XMLInputFactory factory() {
        // The JDK's parser, not one of the application or the class path.
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.IS_COALESCING, true);
        // Otherwise the parser would skip them without calling the resolver, which rejects them.
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, true);
        factory.setProperty("http://java.sun.com/xml/stream/properties/ignore-external-dtd", true);
        factory.setProperty("http://www.oracle.com/xml/jaxp/properties/totalEntitySizeLimit", MAX_ENTITY_SIZE);
        factory.setXMLResolver((publicId, systemId, baseUri, namespace) -> {
            outside = systemId;
            throw new XMLStreamException("external entity " + systemId);
        });
        return factory;
    }

    private XmlDocument parse(byte[] bytes) throws DeploymentException {
        try {
            XMLStreamReader reader = factory().createXMLStreamReader(new StringReader(XmlText.of(bytes)));
            while (reader.hasNext()) {
                accept(reader, reader.next());
            }
            reader.close();
        } catch (IOException e) {
            throw new DeploymentException(source + " " + e.getMessage());
        } catch (XMLStreamException e) {
            throw new DeploymentException(message(e)); // which says it all: the trace of the parser would not help
        }
        DescriptorElement result = root;
        if (result == null) {
            throw new DeploymentException(source + ": found no element; expected an XML document");
        }
        return new XmlDocument(result, doctype);
    }

    private void accept(XMLStreamReader reader, int event) throws DeploymentException {
        switch (event) {
            case XMLStreamConstants.START_ELEMENT -> begin(reader);
            case XMLStreamConstants.END_ELEMENT -> {
                DescriptorElement ended = open.pop();
                int before = unset.size();
                ended.replaceText(text -> replaced(text, ended.where()));
                if (unset.size() > before && saysWhatIsGuarded(ended, open.peek())) {
                    throw new DeploymentException(unset.get(before) + "; what it guards would not be guarded");
                }
            }
            case XMLStreamConstants.ENTITY_REFERENCE ->
                // one that the unread DTD may define
                throw new DeploymentException(where(reader.getLocation()) + ": the entity \"" + reader.getLocalName()
                        + "\" is not defined in this file, and DTDs are not read; replace it by its text");
            case XMLStreamConstants.DTD -> doctype = String.valueOf(reader.getText());
            case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA, XMLStreamConstants.SPACE -> {
                DescriptorElement current = open.peek();
                if (current != null) {
                    current.addText(reader.getText());
                }
            }
            default -> {}
        }
    }

    /** The requests of a constraint or a filter: with the placeholder in it, it applies to none that anybody makes. */
    private static boolean saysWhatIsGuarded(DescriptorElement element, @Nullable DescriptorElement parent) {
        return parent != null && GUARDS.contains(parent.name()) && REQUESTS.contains(element.name());
    }

    private void begin(XMLStreamReader reader) throws DeploymentException {
        DescriptorElement element = element(reader);
        DescriptorElement parent = open.peek();
        if (parent == null) {
            root = element;
        } else {
            parent.add(element);
        }
        open.push(element);
        if (open.size() > MAX_DEPTH) {
            throw element.error("elements are nested more than " + MAX_DEPTH + " deep");
        }
    }

    private String replaced(String text, String where) {
        return PLACEHOLDERS.replace(
                text,
                name -> unset.add(where + ": no system property is named '" + name
                        + "', so the placeholder stays in the text; set it, or give it a default: ${" + name + ":-…}"));
    }

    private DescriptorElement element(XMLStreamReader reader) {
        Map<String, String> attributes = new HashMap<>();
        for (int i = 0; i < reader.getAttributeCount(); i++) {
            String value = replaced(reader.getAttributeValue(i), where(reader.getLocation()));
            attributes.put(reader.getAttributeLocalName(i), value);
        }
        String namespace = reader.getNamespaceURI();
        Location location = reader.getLocation();
        return new DescriptorElement(
                source,
                reader.getLocalName(),
                namespace == null ? "" : namespace,
                attributes,
                location.getLineNumber(),
                location.getColumnNumber());
    }

    private String message(XMLStreamException e) {
        String problem = XmlErrors.explain(String.valueOf(e.getMessage()));
        String where = where(e.getLocation());
        return outside == null
                ? where + ": not well-formed XML: " + problem
                : where + ": refers to the entity \"" + outside
                        + "\", which is another file; entities of other files are not read, so put its contents here";
    }

    private String where(@Nullable Location location) {
        return location == null
                ? source
                : source + ", line " + location.getLineNumber() + ", column " + location.getColumnNumber();
    }
}

package io.millrace.servlet.deploy.xml;

import io.millrace.servlet.model.DeploymentException;
import java.io.ByteArrayInputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import javax.xml.stream.Location;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/**
 * Parses a descriptor into elements. Nothing outside the file is ever read. The DTDs that descriptors of 2.2 and 2.3 name
 * are taken as empty; a reference to an entity of another file is an error, for a constraint may be in it. Entities defined
 * in the file itself work, up to a total size.
 */
final class XmlTree {

    /** Deeper than any descriptor; a bound for the parser's own stack of what is open. */
    private static final int MAX_DEPTH = 64;

    /** In characters, of what the entities of a file expand to; one that expands exponentially is an attack. */
    private static final int MAX_ENTITY_SIZE = 1_000_000;

    private final String source;
    private final Deque<XmlElement> open = new ArrayDeque<>();
    private @Nullable XmlElement root;
    private String doctype = "";
    /** Of the entity of another file that was referred to. */
    private @Nullable String outside;

    private XmlTree(String source) {
        this.source = source;
    }

    /**
     * Parses.
     *
     * @param source the file's name, for messages
     */
    static XmlDocument parse(String source, byte[] bytes) throws DeploymentException {
        return new XmlTree(source).parse(bytes);
    }

    private XMLInputFactory factory() {
        // The JDK's own: not a parser of the application or the class path.
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.IS_COALESCING, true);
        // Otherwise the parser leaves them out without asking the resolver, which refuses them.
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
            XMLStreamReader reader = factory().createXMLStreamReader(new ByteArrayInputStream(bytes));
            while (reader.hasNext()) {
                accept(reader, reader.next());
            }
            reader.close();
        } catch (XMLStreamException e) {
            throw new DeploymentException(message(e), e);
        }
        XmlElement result = root;
        if (result == null) {
            throw new DeploymentException(source + ": found no element; expected an XML document");
        }
        return new XmlDocument(result, doctype);
    }

    private void accept(XMLStreamReader reader, int event) throws DeploymentException {
        switch (event) {
            case XMLStreamConstants.START_ELEMENT -> begin(reader);
            case XMLStreamConstants.END_ELEMENT -> open.pop();
            case XMLStreamConstants.ENTITY_REFERENCE ->
                // of one that the DTD may define
                throw new DeploymentException(where(reader.getLocation()) + ": the entity \"" + reader.getLocalName()
                        + "\" is not defined in this file, and DTDs are not read; replace it by its text");
            case XMLStreamConstants.DTD -> doctype = String.valueOf(reader.getText());
            case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA, XMLStreamConstants.SPACE -> {
                XmlElement current = open.peek();
                if (current != null) {
                    current.addText(reader.getText());
                }
            }
            default -> {}
        }
    }

    private void begin(XMLStreamReader reader) throws DeploymentException {
        XmlElement element = element(reader);
        XmlElement parent = open.peek();
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

    private XmlElement element(XMLStreamReader reader) {
        Map<String, String> attributes = new HashMap<>();
        for (int i = 0; i < reader.getAttributeCount(); i++) {
            attributes.put(reader.getAttributeLocalName(i), reader.getAttributeValue(i));
        }
        String namespace = reader.getNamespaceURI();
        Location location = reader.getLocation();
        return new XmlElement(
                source,
                reader.getLocalName(),
                namespace == null ? "" : namespace,
                attributes,
                location.getLineNumber(),
                location.getColumnNumber());
    }

    /** The JDK puts the position and a newline before its message; ours has the position before already. */
    private String message(XMLStreamException e) {
        String text = String.valueOf(e.getMessage());
        int marker = text.indexOf("Message: ");
        String problem = (marker < 0 ? text : text.substring(marker + "Message: ".length())).strip();
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

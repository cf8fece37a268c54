package io.millrace.servlet.webdav;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.http.HttpServletResponse;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Attr;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NamedNodeMap;
import org.w3c.dom.Node;
import org.xml.sax.ErrorHandler;
import org.xml.sax.SAXException;
import org.xml.sax.SAXParseException;

/**
 * Parses bodies of WebDAV requests, and serializes their elements. Size and depth are limited, and DTDs are rejected: no entity
 * is expanded, and no other file read (RFC 4918, 20.6).
 */
final class DavXml {

    /** The largest body in bytes. */
    static final int MAX_BODY = 128 * 1024;

    /** The deepest nesting of elements. Also bounds the recursion of {@link #write}. */
    private static final String MAX_DEPTH = "64";

    private static final String JDK_LIMITS = "http://www.oracle.com/xml/jaxp/properties/";

    private DavXml() {}

    /**
     * Parses a body.
     *
     * @return the root element; null if there is no body
     * @throws DavFault 400 if it is not well-formed, has a DTD or is nested too deep; 413 if it is longer than {@link #MAX_BODY}
     */
    static @Nullable Element read(InputStream body) throws IOException, DavFault {
        byte[] bytes = body.readNBytes(MAX_BODY + 1);
        if (bytes.length == 0) {
            return null;
        }
        if (bytes.length > MAX_BODY) {
            throw new DavFault(HttpServletResponse.SC_REQUEST_ENTITY_TOO_LARGE);
        }
        try {
            Document document = parser().parse(new ByteArrayInputStream(bytes));
            if (!document.getXmlVersion().equals("1.0")) {
                // 1.1 permits characters that a response in 1.0 must not have
                throw new DavFault(HttpServletResponse.SC_BAD_REQUEST);
            }
            return document.getDocumentElement();
        } catch (SAXException malformed) {
            throw new DavFault(HttpServletResponse.SC_BAD_REQUEST);
        }
    }

    private static DocumentBuilder parser() {
        try {
            // the JDK's parser, not one of the application
            DocumentBuilderFactory factory = DocumentBuilderFactory.newDefaultNSInstance();
            factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
            factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
            factory.setAttribute(JDK_LIMITS + "maxElementDepth", MAX_DEPTH);
            factory.setAttribute(JDK_LIMITS + "elementAttributeLimit", "200");
            factory.setCoalescing(true);
            factory.setIgnoringComments(true);
            DocumentBuilder parser = factory.newDocumentBuilder();
            parser.setErrorHandler(new Silent());
            return parser;
        } catch (ParserConfigurationException e) {
            throw new IllegalStateException("the JDK's XML parser lacks a standard feature", e);
        }
    }

    /** The child elements. */
    static List<Element> children(Element parent) {
        List<Element> children = new ArrayList<>();
        for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
            if (node instanceof Element element) {
                children.add(element);
            }
        }
        return children;
    }

    /** The first child with this name in the namespace DAV:; null if there is none. */
    static @Nullable Element child(Element parent, String local) {
        return children(parent).stream()
                .filter(element -> isDav(element, local))
                .findFirst()
                .orElse(null);
    }

    static boolean isDav(Element element, String local) {
        return PropertyName.DAV.equals(element.getNamespaceURI()) && local.equals(element.getLocalName());
    }

    /**
     * Serializes an element independently of its context: with the namespaces and the xml:lang of its ancestors (RFC 4918, 4.3
     * and 4.4). Prefixes are kept, as values may refer to them.
     */
    static String text(Element element) {
        Element copy = (Element) element.cloneNode(true);
        for (Node node = element.getParentNode(); node instanceof Element ancestor; node = node.getParentNode()) {
            NamedNodeMap attributes = ancestor.getAttributes();
            for (int i = 0; i < attributes.getLength(); i++) {
                Attr attribute = (Attr) attributes.item(i);
                if (isInherited(attribute) && !copy.hasAttribute(attribute.getName())) {
                    copy.setAttributeNS(attribute.getNamespaceURI(), attribute.getName(), attribute.getValue());
                }
            }
        }
        if (!copy.hasAttribute("xmlns")) {
            copy.setAttributeNS(XMLConstants.XMLNS_ATTRIBUTE_NS_URI, "xmlns", "");
        }
        StringBuilder out = new StringBuilder();
        write(copy, out);
        return out.toString();
    }

    private static boolean isInherited(Attr attribute) {
        return XMLConstants.XMLNS_ATTRIBUTE_NS_URI.equals(attribute.getNamespaceURI())
                || attribute.getName().equals("xml:lang");
    }

    private static void write(Element element, StringBuilder out) {
        out.append('<').append(element.getTagName());
        NamedNodeMap attributes = element.getAttributes();
        for (int i = 0; i < attributes.getLength(); i++) {
            Attr attribute = (Attr) attributes.item(i);
            out.append(' ')
                    .append(attribute.getName())
                    .append("=\"")
                    .append(MultiStatus.escape(attribute.getValue()))
                    .append('"');
        }
        out.append('>');
        for (Node node = element.getFirstChild(); node != null; node = node.getNextSibling()) {
            if (node instanceof Element child) {
                write(child, out);
            } else if (node.getNodeType() == Node.TEXT_NODE) {
                out.append(MultiStatus.escape(node.getNodeValue()));
            }
        }
        out.append("</").append(element.getTagName()).append('>');
    }

    /** An error handler without output; the JDK's default writes to stderr. */
    private static final class Silent implements ErrorHandler {
        @Override
        public void warning(SAXParseException e) {}

        @Override
        public void error(SAXParseException e) throws SAXException {
            throw e;
        }

        @Override
        public void fatalError(SAXParseException e) throws SAXException {
            throw e;
        }
    }
}

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
 * Bodies of WebDAV requests, and elements of them as text. What clients send is bounded in size and depth, and has no DTD:
 * no entity is expanded, no other file read (RFC 4918, 20.6).
 */
final class DavXml {

    /** Bytes. */
    static final int MAX_BODY = 128 * 1024;

    /** Elements in each other. Also a bound for the stack of {@link #write}. */
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
                // 1.1 may hold characters that an answer in 1.0 must not
                throw new DavFault(HttpServletResponse.SC_BAD_REQUEST);
            }
            return document.getDocumentElement();
        } catch (SAXException malformed) {
            throw new DavFault(HttpServletResponse.SC_BAD_REQUEST);
        }
    }

    private static DocumentBuilder parser() {
        try {
            // the JDK's own, not one of the application
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

    /** The elements directly below one. */
    static List<Element> children(Element parent) {
        List<Element> children = new ArrayList<>();
        for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
            if (node instanceof Element element) {
                children.add(element);
            }
        }
        return children;
    }

    /** The first element of this name of DAV: directly below; null if there is none. */
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
     * An element as text that means the same wherever it is put: with the namespaces and the xml:lang of its ancestors
     * (RFC 4918, 4.3 and 4.4). Prefixes stay, for values may refer to them.
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
                    .append(escape(attribute.getValue()))
                    .append('"');
        }
        out.append('>');
        for (Node node = element.getFirstChild(); node != null; node = node.getNextSibling()) {
            if (node instanceof Element child) {
                write(child, out);
            } else if (node.getNodeType() == Node.TEXT_NODE) {
                out.append(escape(node.getNodeValue()));
            }
        }
        out.append("</").append(element.getTagName()).append('>');
    }

    /** For text and for attributes: line ends too are escaped, for parsers change those. */
    static String escape(String text) {
        StringBuilder out = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '&' -> out.append("&amp;");
                case '"' -> out.append("&quot;");
                case '\t', '\n', '\r' -> out.append("&#").append((int) c).append(';');
                default -> out.append(isXml(c) ? c : '\ufffd');
            }
        }
        return out.toString();
    }

    /** File names may hold characters that XML can't. */
    private static boolean isXml(char c) {
        return c >= ' ' && c < '\ufffe';
    }

    /** The JDK's default writes to stderr. */
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

package io.millrace.standalone.differential;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** An XML response in comparable form: without blanks, prefixes and reason phrases, and with properties in the order of their names. */
final class XmlBody {

    private XmlBody() {}

    /** The form, or the text itself if it is not XML. */
    static String comparable(String latin1) {
        try {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
            factory.setNamespaceAware(true);
            Element root = factory.newDocumentBuilder()
                    .parse(new ByteArrayInputStream(latin1.getBytes(StandardCharsets.ISO_8859_1)))
                    .getDocumentElement();
            return "xml: " + shown(root);
        } catch (ParserConfigurationException | SAXException | IOException notXml) {
            return latin1;
        }
    }

    private static String shown(Element element) {
        List<String> children = new ArrayList<>();
        NodeList nodes = element.getChildNodes();
        for (int i = 0; i < nodes.getLength(); i++) {
            Node node = nodes.item(i);
            if (node instanceof Element child) {
                children.add(shown(child));
            }
        }
        String namespace = "DAV:".equals(element.getNamespaceURI()) ? "" : "{" + element.getNamespaceURI() + "}";
        String name = namespace + element.getLocalName();
        if (children.isEmpty()) {
            String text = element.getTextContent().strip();
            return text.isEmpty() ? name : name + "=" + text.replaceFirst("^(HTTP/1.1 \\d+) .*", "$1");
        }
        if (name.equals("prop") || name.equals("activelock") || name.equals("lockentry")) {
            children.sort(null);
        }
        return name + "(" + String.join(" ", children) + ")";
    }
}

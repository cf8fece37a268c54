package io.millrace.servlet.webdav;

import org.w3c.dom.Node;

/**
 * The name of a property (RFC 4918, 4.5).
 *
 * @param namespace empty for none
 */
record PropertyName(String namespace, String local) {

    static final String DAV = "DAV:";

    static PropertyName of(Node element) {
        String namespace = element.getNamespaceURI();
        return new PropertyName(namespace == null ? "" : namespace, element.getLocalName());
    }

    /** The serialized empty element of this name. */
    String element() {
        if (namespace.equals(DAV)) {
            return "<D:" + local + "/>";
        }
        return namespace.isEmpty()
                ? "<" + local + "/>"
                : "<P:" + local + " xmlns:P=\"" + MultiStatus.escape(namespace) + "\"/>";
    }
}

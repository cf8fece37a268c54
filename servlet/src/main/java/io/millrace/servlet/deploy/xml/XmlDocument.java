package io.millrace.servlet.deploy.xml;

/**
 * A parsed descriptor.
 *
 * @param doctype its document type declaration, from which a descriptor of 2.2 or 2.3 tells its version; empty if none
 */
record XmlDocument(XmlElement root, String doctype) {}

package io.millrace.servlet.deploy.xml;

/**
 * A parsed descriptor.
 *
 * @param doctype its document type declaration, which has the version of a 2.2 or 2.3 descriptor; empty if there is none
 */
record XmlDocument(DescriptorElement root, String doctype) {}

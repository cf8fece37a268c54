package io.millrace.standalone.config;

/** An attribute, with its placeholders replaced, and its line. */
record XmlAttribute(String name, String value, int line) {}

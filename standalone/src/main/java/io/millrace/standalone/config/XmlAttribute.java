package io.millrace.standalone.config;

/** One attribute, its placeholders replaced, and the line it begins on. */
record XmlAttribute(String name, String value, int line) {}

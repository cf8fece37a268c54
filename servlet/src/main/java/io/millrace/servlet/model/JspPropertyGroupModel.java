package io.millrace.servlet.model;

import java.util.List;
import java.util.Map;

/**
 * jsp-property-group.
 *
 * @param urlPatterns decoded ({@link UrlPattern#decoded})
 * @param properties the elements that occur once, by name: page-encoding, scripting-invalid, is-xml …
 */
public record JspPropertyGroupModel(
        List<String> urlPatterns,
        Map<String, String> properties,
        List<String> includePreludes,
        List<String> includeCodas) {}

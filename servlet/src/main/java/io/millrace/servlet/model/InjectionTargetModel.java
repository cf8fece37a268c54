package io.millrace.servlet.model;

/**
 * injection-target: a field or setter into which a resource is injected.
 *
 * @param member the name of the field, or of the setter's property
 */
public record InjectionTargetModel(String className, String member) {}

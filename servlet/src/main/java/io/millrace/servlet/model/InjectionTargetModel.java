package io.millrace.servlet.model;

/** injection-target: the field or setter that is given a resource. */
public record InjectionTargetModel(String className, String member) {}

package io.millrace.servlet.model;

/** post-construct or pre-destroy: a method to call on each instance of a class. */
public record LifecycleMethodModel(String className, String method) {}

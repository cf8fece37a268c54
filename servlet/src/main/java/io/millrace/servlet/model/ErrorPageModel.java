package io.millrace.servlet.model;

import org.jspecify.annotations.Nullable;

/**
 * Where to go for an error: by status, by exception class, or (both absent) for all.
 *
 * @param status 0 if not by status
 * @param location begins with a slash
 */
public record ErrorPageModel(int status, @Nullable String exceptionType, String location) {}

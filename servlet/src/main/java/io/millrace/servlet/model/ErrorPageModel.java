package io.millrace.servlet.model;

import org.jspecify.annotations.Nullable;

/**
 * error-page: for a status, for an exception class and its subclasses, or, with neither, for all errors.
 *
 * @param status the HTTP status; 0 if the page is not for a status
 * @param exceptionType a class name; null if the page is not for an exception
 * @param location a path below the context path, beginning with a slash
 */
public record ErrorPageModel(int status, @Nullable String exceptionType, String location) {}

package io.millrace.servlet.request;

import org.jspecify.annotations.Nullable;

/**
 * The error set by sendError, for which no page was created yet.
 *
 * @param message for the error page; not shown to the client otherwise
 */
public record PendingError(int status, @Nullable String message) {}

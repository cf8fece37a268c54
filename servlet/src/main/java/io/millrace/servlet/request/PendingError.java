package io.millrace.servlet.request;

import org.jspecify.annotations.Nullable;

/**
 * What sendError asked for.
 *
 * @param message for the error page; not shown to the client otherwise
 */
public record PendingError(int status, @Nullable String message) {}

/** Handlers: routing, files, errors, access log, health. */
@NullMarked
package io.millrace.handler;

import org.jspecify.annotations.NullMarked;

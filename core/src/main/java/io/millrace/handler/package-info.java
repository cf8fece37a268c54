/** Handlers for routing, errors, access logs, access control and health. */
@NullMarked
package io.millrace.handler;

import org.jspecify.annotations.NullMarked;

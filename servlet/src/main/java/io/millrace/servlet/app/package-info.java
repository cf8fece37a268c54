/** A web application as seen by its requests: servlets, filters, error pages, and the mapping rules. */
@NullMarked
package io.millrace.servlet.app;

import org.jspecify.annotations.NullMarked;

/** Gives servlets, filters and listeners the resources they ask for, and tells them when they begin and end. */
@NullMarked
package io.millrace.servlet.inject;

import org.jspecify.annotations.NullMarked;

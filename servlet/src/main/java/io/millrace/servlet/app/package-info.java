/** A web application as its requests see it: its servlets, filters and error pages, and the rules that lead to them. */
@NullMarked
package io.millrace.servlet.app;

import org.jspecify.annotations.NullMarked;

/** Parsing of query and form parameters and of multipart bodies, within limits. */
@NullMarked
package io.millrace.servlet.form;

import org.jspecify.annotations.NullMarked;

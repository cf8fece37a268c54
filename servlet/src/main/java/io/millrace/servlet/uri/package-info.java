/** The text of URLs: escapes, and the context path as it is configured, sent and written. */
@NullMarked
package io.millrace.servlet.uri;

import org.jspecify.annotations.NullMarked;

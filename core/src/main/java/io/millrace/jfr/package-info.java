/** Events for Java's flight recorder. */
@NullMarked
package io.millrace.jfr;

import org.jspecify.annotations.NullMarked;

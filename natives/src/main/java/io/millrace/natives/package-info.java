/** Native libraries and their functions, called through {@code java.lang.foreign}. */
@NullMarked
package io.millrace.natives;

import org.jspecify.annotations.NullMarked;

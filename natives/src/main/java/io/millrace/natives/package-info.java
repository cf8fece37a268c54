/** Libraries of the system, called by {@code java.lang.foreign}: finding them, their functions, and telling what is missing. */
@NullMarked
package io.millrace.natives;

import org.jspecify.annotations.NullMarked;

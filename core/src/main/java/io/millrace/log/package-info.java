/** The core's log messages, below all of its other packages. */
@NullMarked
package io.millrace.log;

import org.jspecify.annotations.NullMarked;

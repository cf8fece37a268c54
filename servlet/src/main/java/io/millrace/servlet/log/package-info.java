/** The servlet layer's log messages, below all of its other packages. */
@NullMarked
package io.millrace.servlet.log;

import org.jspecify.annotations.NullMarked;

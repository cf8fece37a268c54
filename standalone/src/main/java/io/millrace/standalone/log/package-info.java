/** The server's log, which is independent of the java.util.logging configuration of applications. */
@NullMarked
package io.millrace.standalone.log;

import org.jspecify.annotations.NullMarked;

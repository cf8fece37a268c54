/** The server's own log, apart from java.util.logging, which applications may configure as they like. */
@NullMarked
package io.millrace.standalone.log;

import org.jspecify.annotations.NullMarked;

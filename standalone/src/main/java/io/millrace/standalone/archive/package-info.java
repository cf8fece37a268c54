/** The start-up archive: what a JVM needs to know of the server's classes, prepared once, so that starts take half as long. */
@NullMarked
package io.millrace.standalone.archive;

import org.jspecify.annotations.NullMarked;

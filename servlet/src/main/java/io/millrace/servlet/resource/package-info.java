/** A web application's files: finding them in the application and its jars, and sending them. */
@NullMarked
package io.millrace.servlet.resource;

import org.jspecify.annotations.NullMarked;

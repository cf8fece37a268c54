/** The files of a web application: lookup in its document base, its jars and its mounts. */
@NullMarked
package io.millrace.servlet.resource;

import org.jspecify.annotations.NullMarked;

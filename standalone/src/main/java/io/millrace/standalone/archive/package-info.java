/** The start-up archive: an AOT cache or a CDS archive of the server's classes, which halves the start time. */
@NullMarked
package io.millrace.standalone.archive;

import org.jspecify.annotations.NullMarked;

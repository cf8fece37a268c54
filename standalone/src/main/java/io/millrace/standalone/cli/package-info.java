/** The words of the command line: what commands take, as data for reading them and for their help. */
@NullMarked
package io.millrace.standalone.cli;

import org.jspecify.annotations.NullMarked;

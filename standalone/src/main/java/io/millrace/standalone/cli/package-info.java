/** The command line: options and operands are declared as data, for parsing and for the help. */
@NullMarked
package io.millrace.standalone.cli;

import org.jspecify.annotations.NullMarked;

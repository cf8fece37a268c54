/** The commands that ask a running server. They start fast: nothing here needs connectors, XML or the log. */
@NullMarked
package io.millrace.standalone.operator;

import org.jspecify.annotations.NullMarked;

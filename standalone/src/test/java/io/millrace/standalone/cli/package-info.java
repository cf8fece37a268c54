@NullMarked
package io.millrace.standalone.cli;

import org.jspecify.annotations.NullMarked;

/** Runs the code of the user guide, and checks that the guide shows it. */
@NullMarked
package io.millrace.samples;

import org.jspecify.annotations.NullMarked;

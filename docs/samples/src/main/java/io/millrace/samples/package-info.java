/** The Java code of the user guide. What stands between the tags is in the guide, letter for letter. */
@NullMarked
package io.millrace.samples;

import org.jspecify.annotations.NullMarked;

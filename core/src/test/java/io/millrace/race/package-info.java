/** Two-thread races for the tests of all modules. */
@NullMarked
package io.millrace.race;

import org.jspecify.annotations.NullMarked;

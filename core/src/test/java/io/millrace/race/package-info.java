/** Two-thread races, and planted failures, for the tests of all modules. */
@NullMarked
package io.millrace.race;

import org.jspecify.annotations.NullMarked;

/** Micro-benchmarks of the hot paths. */
@NullMarked
package io.millrace.benchmarks;

import org.jspecify.annotations.NullMarked;

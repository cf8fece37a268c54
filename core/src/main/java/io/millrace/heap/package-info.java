/** Heap dumps, and what keeps an object in memory. */
@NullMarked
package io.millrace.heap;

import org.jspecify.annotations.NullMarked;

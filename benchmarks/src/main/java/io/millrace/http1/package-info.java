/** Benchmarks of what HTTP/1.1 keeps to itself. */
@NullMarked
package io.millrace.http1;

import org.jspecify.annotations.NullMarked;

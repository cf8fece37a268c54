/** Benchmarks of package-private classes of HTTP/1.1. */
@NullMarked
package io.millrace.http1;

import org.jspecify.annotations.NullMarked;

/** Value types of HTTP: methods, headers, heads, paths. No I/O. */
@NullMarked
package io.millrace.http;

import org.jspecify.annotations.NullMarked;

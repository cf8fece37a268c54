/** The HTTP/1.1 protocol (RFC 9110, RFC 9112). */
@NullMarked
package io.millrace.http1;

import org.jspecify.annotations.NullMarked;

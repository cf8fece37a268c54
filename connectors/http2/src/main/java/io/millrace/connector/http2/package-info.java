/** The server's side of HTTP/2 (RFC 9113). */
@NullMarked
package io.millrace.connector.http2;

import org.jspecify.annotations.NullMarked;

/** HTTP/2 (RFC 9113), server and client. */
@NullMarked
package io.millrace.connector.http2;

import org.jspecify.annotations.NullMarked;

/** Header compression for HTTP/2 (RFC 7541). */
@NullMarked
package io.millrace.connector.http2.hpack;

import org.jspecify.annotations.NullMarked;

/** Bodies of requests and responses as {@code java.io} streams, for handlers that may block. */
@NullMarked
package io.millrace.exchange.stream;

import org.jspecify.annotations.NullMarked;

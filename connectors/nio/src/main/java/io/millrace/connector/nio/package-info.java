/** The NIO transport, on XNIO. */
@NullMarked
package io.millrace.connector.nio;

import org.jspecify.annotations.NullMarked;

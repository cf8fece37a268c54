/** The NIO transport, on Millrace's own selector loop or on XNIO. */
@NullMarked
package io.millrace.connector.nio;

import org.jspecify.annotations.NullMarked;

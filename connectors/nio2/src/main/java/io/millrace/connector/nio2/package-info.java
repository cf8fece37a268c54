/** The NIO2 transport, on asynchronous channels. */
@NullMarked
package io.millrace.connector.nio2;

import org.jspecify.annotations.NullMarked;

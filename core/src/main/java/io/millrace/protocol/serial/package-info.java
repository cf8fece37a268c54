/** Shared by protocols that serve one request at a time on a connection: ownership, input, output. */
@NullMarked
package io.millrace.protocol.serial;

import org.jspecify.annotations.NullMarked;

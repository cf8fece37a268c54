/** What protocols share that serve one request after the other on a connection: whose turn it is, and the way out. */
@NullMarked
package io.millrace.protocol.serial;

import org.jspecify.annotations.NullMarked;

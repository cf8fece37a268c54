/** The layer: handshakes, records read and written, and the connection that applications' protocols see. */
@NullMarked
package io.millrace.tls.layer;

import org.jspecify.annotations.NullMarked;

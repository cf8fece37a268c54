/** The TLS layer: handshakes, reading and writing records, and the decrypted connection. */
@NullMarked
package io.millrace.tls.layer;

import org.jspecify.annotations.NullMarked;

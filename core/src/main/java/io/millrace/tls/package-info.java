/**
 * TLS of a connector, as it is configured and reported, and the interfaces that its implementations provide. The layer itself is
 * in {@code tls.layer}, the JDK's implementation in {@code tls.jsse}, certificates and their reload in {@code tls.material}.
 */
@NullMarked
package io.millrace.tls;

import org.jspecify.annotations.NullMarked;

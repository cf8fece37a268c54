/** The JDK's implementation of TLS: engines and hosts over {@link javax.net.ssl.SSLEngine}. */
@NullMarked
package io.millrace.tls.jsse;

import org.jspecify.annotations.NullMarked;

/** Tests of the TLS layer that need no connection. */
@NullMarked
package io.millrace.tls;

import org.jspecify.annotations.NullMarked;

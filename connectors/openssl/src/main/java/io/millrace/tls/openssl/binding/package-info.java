/**
 * OpenSSL 3. What leaves this package are objects that own what they stand for: no address does. Whoever uses one that is
 * closed gets an exception.
 */
@NullMarked
package io.millrace.tls.openssl.binding;

import org.jspecify.annotations.NullMarked;

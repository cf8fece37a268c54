/** TLS by OpenSSL 3: engines, contexts and sessions. Native memory and functions are in the package {@code binding}. */
@NullMarked
package io.millrace.tls.openssl;

import org.jspecify.annotations.NullMarked;

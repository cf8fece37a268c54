/** TLS by OpenSSL 3. Native memory and functions are in the binding; here are engines, contexts and sessions made of them. */
@NullMarked
package io.millrace.tls.openssl;

import org.jspecify.annotations.NullMarked;

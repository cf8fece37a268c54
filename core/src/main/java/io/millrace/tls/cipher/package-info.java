/** Cipher suites by the names and expressions of OpenSSL and IANA. Knows nothing of engines. */
@NullMarked
package io.millrace.tls.cipher;

import org.jspecify.annotations.NullMarked;

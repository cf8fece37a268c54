/** Cipher suites by the names and expressions of OpenSSL and IANA. Independent of engines. */
@NullMarked
package io.millrace.tls.cipher;

import org.jspecify.annotations.NullMarked;

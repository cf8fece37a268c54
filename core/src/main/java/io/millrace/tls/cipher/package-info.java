/** Cipher suites, with the names of OpenSSL and IANA and OpenSSL's cipher lists. Independent of engines. */
@NullMarked
package io.millrace.tls.cipher;

import org.jspecify.annotations.NullMarked;

/** Reads certificates and private keys: variants of PEM, keystores, revocation lists. Independent of engines. */
@NullMarked
package io.millrace.tls.certificate;

import org.jspecify.annotations.NullMarked;

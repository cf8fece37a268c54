/** Reads certificates and private keys: PEM in its dialects, keystores, revocation lists. Independent of engines. */
@NullMarked
package io.millrace.tls.certificate;

import org.jspecify.annotations.NullMarked;

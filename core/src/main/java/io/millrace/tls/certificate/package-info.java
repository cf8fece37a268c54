/** Reads certificates and private keys: PEM in its dialects, keystores, revocation lists. Knows nothing of engines. */
@NullMarked
package io.millrace.tls.certificate;

import org.jspecify.annotations.NullMarked;

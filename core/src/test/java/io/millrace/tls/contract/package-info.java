/** The contract suite of TLS implementations, which those in other modules inherit. */
@NullMarked
package io.millrace.tls.contract;

import org.jspecify.annotations.NullMarked;

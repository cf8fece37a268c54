/** What every implementation of TLS does with the same configuration: implementations elsewhere inherit it. */
@NullMarked
package io.millrace.tls.contract;

import org.jspecify.annotations.NullMarked;

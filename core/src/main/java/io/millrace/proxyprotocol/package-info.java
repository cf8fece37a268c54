/** The PROXY protocol, versions 1 and 2, as a layer: front ends report their clients' addresses. */
@NullMarked
package io.millrace.proxyprotocol;

import org.jspecify.annotations.NullMarked;

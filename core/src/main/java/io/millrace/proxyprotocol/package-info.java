/** The PROXY protocol, versions 1 and 2, as a layer: front ends say whom they speak for. */
@NullMarked
package io.millrace.proxyprotocol;

import org.jspecify.annotations.NullMarked;

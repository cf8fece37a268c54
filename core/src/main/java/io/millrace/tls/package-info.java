/** TLS as a layer over any connection: the layer, its one engine interface, and the JDK's implementation of that. */
@NullMarked
package io.millrace.tls;

import org.jspecify.annotations.NullMarked;

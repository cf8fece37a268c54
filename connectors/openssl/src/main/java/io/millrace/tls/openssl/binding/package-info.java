/**
 * OpenSSL 3. Objects of this package own native objects, and no address leaves it. Calls of a closed object throw an
 * exception.
 */
@NullMarked
package io.millrace.tls.openssl.binding;

import org.jspecify.annotations.NullMarked;

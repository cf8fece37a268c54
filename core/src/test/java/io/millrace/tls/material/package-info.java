/** Certificates and keys: read from files, checked, reported on, and read again when the files change. */
@NullMarked
package io.millrace.tls.material;

import org.jspecify.annotations.NullMarked;

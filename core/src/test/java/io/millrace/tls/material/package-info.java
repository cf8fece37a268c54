/** Certificates and keys: reading, checking and reporting them, and reloading changed files. */
@NullMarked
package io.millrace.tls.material;

import org.jspecify.annotations.NullMarked;

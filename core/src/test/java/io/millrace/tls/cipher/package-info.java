@NullMarked
package io.millrace.tls.cipher;

import org.jspecify.annotations.NullMarked;

@NullMarked
package io.millrace.tls.certificate;

import org.jspecify.annotations.NullMarked;

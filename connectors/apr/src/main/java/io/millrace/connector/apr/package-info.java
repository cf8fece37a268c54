/** The APR transport. It calls the library only through {@code io.millrace.connector.apr.binding}. */
@NullMarked
package io.millrace.connector.apr;

import org.jspecify.annotations.NullMarked;

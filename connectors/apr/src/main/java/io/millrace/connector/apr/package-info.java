/** The APR transport. What it asks of the library it asks of {@link io.millrace.connector.apr.binding}. */
@NullMarked
package io.millrace.connector.apr;

import org.jspecify.annotations.NullMarked;

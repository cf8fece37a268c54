/** Connector and what is in it, and Executor: kinds, what is checked of them, and the TLS that they make. */
@NullMarked
package io.millrace.standalone.config.connector;

import org.jspecify.annotations.NullMarked;

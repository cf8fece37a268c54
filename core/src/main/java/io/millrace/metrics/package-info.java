/** What a server counts of itself, and the text in which Prometheus reads it. */
@NullMarked
package io.millrace.metrics;

import org.jspecify.annotations.NullMarked;

/** The metrics of a server in a registry of Micrometer: {@link MillraceMetrics}. */
@NullMarked
package io.millrace.micrometer;

import org.jspecify.annotations.NullMarked;

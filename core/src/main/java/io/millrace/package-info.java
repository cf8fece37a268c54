/** The embedding API: configure, start and stop a server. */
@NullMarked
package io.millrace;

import org.jspecify.annotations.NullMarked;

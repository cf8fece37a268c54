/** {@code millrace shootout}: measures the connectors of this installation on this machine. */
@NullMarked
package io.millrace.standalone.shootout;

import org.jspecify.annotations.NullMarked;

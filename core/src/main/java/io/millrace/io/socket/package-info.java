/** Shared by transports over sockets: accepting, connections and their idle timeouts, connection groups. */
@NullMarked
package io.millrace.io.socket;

import org.jspecify.annotations.NullMarked;

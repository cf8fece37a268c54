/** What transports over sockets share: accepting, the life of a connection, its idle time, lists of connections. */
@NullMarked
package io.millrace.io.socket;

import org.jspecify.annotations.NullMarked;

package io.millrace.connector.bio;

import io.millrace.io.ConnectionInfo;
import java.net.SocketAddress;

/** The two ends of a plain socket. */
record SocketInfo(SocketAddress local, SocketAddress remote) implements ConnectionInfo {}

package io.millrace.connector.nio2;

import io.millrace.io.ConnectionInfo;
import java.net.SocketAddress;

/** The two ends of a plain socket. */
record SocketInfo(SocketAddress local, SocketAddress remote) implements ConnectionInfo {}

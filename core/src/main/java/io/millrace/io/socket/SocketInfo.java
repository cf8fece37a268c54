package io.millrace.io.socket;

import io.millrace.io.ConnectionInfo;
import java.net.SocketAddress;

/**
 * The addresses of a plain socket.
 *
 * @param local the local address
 * @param remote the peer's address
 */
public record SocketInfo(SocketAddress local, SocketAddress remote) implements ConnectionInfo {}

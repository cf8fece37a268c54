package io.millrace.io.socket;

import io.millrace.io.ConnectionInfo;
import java.net.SocketAddress;

/**
 * The two ends of a plain socket.
 *
 * @param local ours
 * @param remote the peer's
 */
public record SocketInfo(SocketAddress local, SocketAddress remote) implements ConnectionInfo {}

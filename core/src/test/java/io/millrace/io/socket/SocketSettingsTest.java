package io.millrace.io.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.io.BufferPool;
import io.millrace.io.Timers;
import io.millrace.io.TransportOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.Test;

/** The socket settings of a connector … */
final class SocketSettingsTest {

    private static final int BUFFER = 20_000;

    @Test
    void isDoneToTheListeningSocketBeforeItListens() throws IOException {
        int[] backlog = new int[1];
        try (Timers timers = new Timers("test");
                ServerSocketChannel listening = ServerSocketChannel.open()) {
            new SocketSettings(options(timers)).listen(listening, anyPort(), (address, count) -> {
                assertEquals(BUFFER, listening.getOption(StandardSocketOptions.SO_RCVBUF));
                backlog[0] = count;
                listening.bind(address, count);
            });
            assertFalse(listening.getOption(StandardSocketOptions.SO_REUSEADDR));
            assertEquals(7, backlog[0]);
        }
    }

    @Test
    void isDoneToEachConnection() throws IOException {
        try (Timers timers = new Timers("test");
                ServerSocketChannel listening = ServerSocketChannel.open().bind(anyPort());
                SocketChannel peer = SocketChannel.open(listening.getLocalAddress());
                SocketChannel accepted = listening.accept()) {
            assertFalse(accepted.getOption(StandardSocketOptions.TCP_NODELAY));
            new SocketSettings(options(timers)).configure(accepted, accepted.getRemoteAddress());
            assertTrue(accepted.getOption(StandardSocketOptions.TCP_NODELAY));
            assertTrue(accepted.getOption(StandardSocketOptions.SO_KEEPALIVE));
            assertEquals(3, accepted.getOption(StandardSocketOptions.SO_LINGER));
            assertEquals(BUFFER, accepted.getOption(StandardSocketOptions.SO_SNDBUF));
            assertTrue(peer.isConnected());
        }
    }

    @Test
    void boundsWhatTheSystemBuffersForPeersOnThisMachineOnly() throws IOException {
        try (Timers timers = new Timers("test")) {
            TransportOptions defaults = TransportOptions.defaults("test", new BufferPool(1 << 20), timers);
            assertEquals(208 * 1024, SocketSettings.sendBuffer(defaults, at(127, 0, 0, 2)));
            assertEquals(0, SocketSettings.sendBuffer(defaults, at(192, 0, 2, 1)));
            assertEquals(0, SocketSettings.sendBuffer(defaults, UnixDomainSocketAddress.of("x")));
            assertEquals(0, SocketSettings.sendBuffer(defaults, null));
            assertEquals(BUFFER, SocketSettings.sendBuffer(options(timers), at(127, 0, 0, 2)));
        }
    }

    private static InetSocketAddress at(int... bytes) throws IOException {
        byte[] address = {(byte) bytes[0], (byte) bytes[1], (byte) bytes[2], (byte) bytes[3]};
        return new InetSocketAddress(InetAddress.getByAddress(address), 1);
    }

    private static InetSocketAddress anyPort() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    private static TransportOptions options(Timers timers) {
        return TransportOptions.defaults("test", new BufferPool(1 << 20), timers)
                .with(TransportOptions.ACCEPT_COUNT, 7)
                .with(TransportOptions.SO_KEEP_ALIVE, true)
                .with(TransportOptions.SO_REUSE_ADDRESS, false)
                .with(TransportOptions.SO_LINGER, 3)
                .with(TransportOptions.SEND_BUFFER, BUFFER)
                .with(TransportOptions.RECEIVE_BUFFER, BUFFER);
    }
}

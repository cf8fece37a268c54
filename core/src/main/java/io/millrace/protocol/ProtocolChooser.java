package io.millrace.protocol;

import io.millrace.io.Chunk;
import io.millrace.io.Connection;
import io.millrace.io.ConnectionHandler;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Opens each connection of a port in the protocol that it speaks: the one that ALPN agreed on (RFC 7301), else the first
 * that {@linkplain Protocol#match recognises} the connection's first bytes, else the first of all, which then answers as it
 * answers anything malformed. A port of one protocol looks at nothing.
 */
public final class ProtocolChooser {

    /** No protocol needs more to be recognised: the longest preface, that of HTTP/2, has 24 octets (RFC 9113, 3.4). */
    private static final int LONGEST_PREFACE = 64;

    private static final byte[] NOTHING = {};

    private static final Duration LEAST_WAIT = Duration.ofMillis(1);

    private final List<Protocol> protocols;
    private final List<Protocol> upgrades;
    private final Duration timeout;

    /** What the last connection was given; mostly it is the next one's. */
    private @Nullable volatile UpgradeDispatcher upgrading;

    /**
     * A chooser for one port.
     *
     * @param protocols the most preferred first; at least one
     * @param timeout for the bytes by which a protocol is recognised, all together; zero for no timeout
     */
    public ProtocolChooser(List<Protocol> protocols, Duration timeout) {
        this.protocols = List.copyOf(protocols);
        upgrades = this.protocols.stream()
                .filter(each -> each.upgradeName() != null)
                .toList();
        this.timeout = timeout;
        if (protocols.isEmpty()) {
            throw new IllegalArgumentException("there is no protocol to choose");
        }
    }

    /** Sets the connection going. On its thread. */
    public void open(Connection connection, Dispatcher dispatcher) {
        Protocol known = protocols.size() == 1
                ? protocols.get(0)
                : agreedOn(connection.channel().info().applicationProtocol());
        if (known != null) {
            open(known, connection, null, dispatcher);
        } else {
            FirstBytes wait = new FirstBytes(connection, dispatcher);
            connection.install(wait);
            wait.onReadable();
        }
    }

    private @Nullable Protocol agreedOn(@Nullable String id) {
        for (Protocol each : protocols) {
            if (each.id().equals(id)) {
                return each;
            }
        }
        return null;
    }

    private void open(Protocol protocol, Connection connection, @Nullable Chunk unread, Dispatcher dispatcher) {
        ConnectionHandler handler = protocol.open(connection, unread, dispatcher(protocol, dispatcher));
        connection.install(handler);
        handler.onReadable();
    }

    private Dispatcher dispatcher(Protocol protocol, Dispatcher dispatcher) {
        if (upgrades.isEmpty() || protocol.upgradeName() != null) {
            return dispatcher;
        }
        UpgradeDispatcher known = upgrading;
        if (known == null || !known.isBefore(dispatcher)) {
            known = new UpgradeDispatcher(upgrades, dispatcher);
            upgrading = known;
        }
        return known;
    }

    /**
     * Whose bytes are these? A preferred protocol that can't tell yet holds back those behind it.
     *
     * @param complete no more bytes will come that could tell
     * @return null if more bytes have to tell
     */
    private @Nullable Protocol recognise(ByteBuffer first, boolean complete) {
        Protocol possible = null;
        for (Protocol each : protocols) {
            Protocol.Match match = each.match(first);
            if (match == Protocol.Match.YES) {
                return each;
            }
            if (match == Protocol.Match.NEED_MORE) {
                if (!complete) {
                    return null;
                }
                possible = possible == null ? each : possible;
            }
        }
        return possible == null ? protocols.get(0) : possible;
    }

    /**
     * Reads a connection's first bytes. While it waits for more it holds a copy of those that came, and no buffer. The
     * timeout is for all of them: a byte now and then does not prolong it.
     */
    private final class FirstBytes implements ConnectionHandler {

        private final Connection connection;
        private final Dispatcher dispatcher;
        private final long start = System.nanoTime();
        private byte[] received = NOTHING;
        private volatile boolean draining;

        FirstBytes(Connection connection, Dispatcher dispatcher) {
            this.connection = connection;
            this.dispatcher = dispatcher;
        }

        @Override
        public void onReadable() {
            try {
                Chunk chunk = connection.read();
                while (chunk != null) {
                    if (take(chunk)) {
                        return;
                    }
                    chunk = connection.read();
                }
            } catch (IOException broken) {
                connection.close(broken);
                return;
            }
            await();
        }

        /** Owns the chunk. True if the connection is another handler's now, or closed. */
        private boolean take(Chunk chunk) {
            if (chunk.isEnd()) {
                ended();
                return true;
            }
            ByteBuffer first;
            Protocol found;
            boolean kept = false;
            try {
                first = received.length == 0 ? chunk.bytes() : joined(chunk.bytes());
                found = first.hasRemaining() ? recognise(first, first.remaining() >= LONGEST_PREFACE) : null;
                if (found == null) {
                    received = new byte[first.remaining()];
                    first.get(received);
                } else {
                    kept = received.length == 0;
                }
            } finally {
                if (!kept) {
                    chunk.release();
                }
            }
            if (found == null) {
                return false;
            }
            pass(found, kept ? chunk : Chunk.wrap(first));
            return true;
        }

        private ByteBuffer joined(ByteBuffer more) {
            return ByteBuffer.allocate(received.length + more.remaining())
                    .put(received)
                    .put(more)
                    .flip();
        }

        /** The peer has sent its last. Whoever sent nothing only looked whether the port is open. */
        private void ended() {
            if (received.length == 0) {
                connection.close(null);
                return;
            }
            ByteBuffer all = ByteBuffer.wrap(received);
            pass(Objects.requireNonNull(recognise(all, true)), Chunk.wrap(all));
        }

        /** The protocol has timeouts of its own. */
        private void pass(Protocol protocol, Chunk unread) {
            connection.idleTimeout(Duration.ZERO);
            open(protocol, connection, unread, dispatcher);
        }

        private void await() {
            if (draining && received.length == 0) {
                connection.close(null);
                return;
            }
            Duration limit = draining ? DRAIN_LIMIT : timeout;
            if (!limit.isZero()) {
                Duration left = limit.minusNanos(System.nanoTime() - start);
                if (left.compareTo(LEAST_WAIT) < 0) {
                    connection.close(null);
                    return;
                }
                connection.idleTimeout(left);
            }
            connection.awaitReadable();
        }

        @Override
        public void onIdle() {
            connection.close(null);
        }

        @Override
        public void onClosed(@Nullable Throwable cause) {
            // nothing is held here
        }

        @Override
        public void drain() {
            draining = true;
        }
    }
}

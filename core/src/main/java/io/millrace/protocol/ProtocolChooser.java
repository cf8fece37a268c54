package io.millrace.protocol;

import io.millrace.http.HttpVersion;
import io.millrace.http.RequestHead;
import io.millrace.http.ResponseHead;
import io.millrace.http.Status;
import io.millrace.io.Chunk;
import io.millrace.io.Connection;
import io.millrace.io.ConnectionHandler;
import io.millrace.io.Turns;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Selects the protocol of each connection on a port: the one agreed on by ALPN (RFC 7301), otherwise the first that
 * {@linkplain Protocol#match matches} the connection's first bytes, otherwise the first protocol, which then responds as
 * to any malformed input. For ports with several protocols.
 */
public final class ProtocolChooser {

    /** More than any protocol needs: the longest preface, that of HTTP/2, has 24 octets (RFC 9113, 3.4). */
    private static final int LONGEST_PREFACE = 64;

    private static final byte[] NOTHING = {};

    private static final Duration MIN_WAIT = Duration.ofMillis(1);

    private final List<Protocol> protocols;
    private final List<Protocol> upgrades;
    private final Duration timeout;

    /** The dispatcher of the most recent connection; usually also that of the next one. */
    private @Nullable volatile UpgradeDispatcher upgrading;

    /**
     * A chooser for one port.
     *
     * @param protocols the most preferred first; at least two
     * @param timeout for receiving all the bytes by which a protocol is recognized; zero for no timeout
     */
    public ProtocolChooser(List<Protocol> protocols, Duration timeout) {
        this.protocols = List.copyOf(protocols);
        upgrades = this.protocols.stream()
                .filter(each -> each.upgradeName() != null)
                .toList();
        this.timeout = timeout;
        if (protocols.size() < 2) {
            throw new IllegalArgumentException(
                    "the list has " + protocols.size() + " protocols; expected at least two");
        }
    }

    /** Opens the protocol on a connection. Called on the connection's thread. */
    public void open(Connection connection, Dispatcher dispatcher) {
        Protocol known = agreedOn(connection.channel().info().applicationProtocol());
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
        protocol.start(connection, unread, dispatcher(protocol, dispatcher));
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
     * The protocol of these bytes. A protocol that needs more bytes takes precedence over less preferred ones that
     * match.
     *
     * @param complete whether no further bytes can decide
     * @return null if more bytes are needed
     */
    private @Nullable Protocol recognize(ByteBuffer first, boolean complete) {
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
     * Reads the first bytes of a connection. While waiting for more it keeps a copy of them, but no pooled buffer. The
     * timeout covers all of them together; single bytes do not extend it.
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

        /** Takes ownership of the chunk. True if another handler owns the connection now, or it is closed. */
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
                found = first.hasRemaining() ? recognize(first, first.remaining() >= LONGEST_PREFACE) : null;
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

        /** The peer has sent everything. A peer that sent nothing, a port check for example, gets no response. */
        private void ended() {
            if (received.length == 0) {
                connection.close(null);
                return;
            }
            ByteBuffer all = ByteBuffer.wrap(received);
            pass(Objects.requireNonNull(recognize(all, true)), Chunk.wrap(all));
        }

        /** Opens the protocol, which has timeouts of its own. */
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
                if (left.compareTo(MIN_WAIT) < 0) {
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
            // no resources are held here
        }

        @Override
        public void drain() {
            draining = true;
        }
    }

    /**
     * Switches a connection to another of the port's protocols if an HTTP/1.1 request asks for it, and passes all other
     * requests on. A client cannot insist on an upgrade (RFC 9110, 7.8): a request that does not meet all conditions,
     * because it has a body for example, is handled in HTTP/1.1.
     */
    private static final class UpgradeDispatcher implements Dispatcher {

        private final List<Protocol> protocols;
        private final Dispatcher dispatcher;

        /**
         * A dispatcher for one port.
         *
         * @param protocols the protocols that support upgrades
         */
        UpgradeDispatcher(List<Protocol> protocols, Dispatcher dispatcher) {
            this.protocols = protocols;
            this.dispatcher = dispatcher;
        }

        /** Whether it passes requests on to this dispatcher. */
        boolean isBefore(Dispatcher other) {
            return dispatcher.equals(other);
        }

        @Override
        public void dispatch(RequestHead request, HttpStream stream) {
            boolean asks = request.version() == HttpVersion.HTTP_1_1
                    && request.contentLength() == 0
                    && request.headers().contains("Upgrade")
                    && stream.channel().info().tlsSession() == null;
            if (!asks || !(stream instanceof SwitchingStream switching) || !upgrade(request, switching)) {
                dispatcher.dispatch(request, stream);
            }
        }

        private boolean upgrade(RequestHead request, SwitchingStream stream) {
            for (Protocol each : protocols) {
                Successor next = each.upgrade(request, dispatcher);
                String name = each.upgradeName();
                if (next != null && name != null) {
                    ResponseHead head = new ResponseHead().status(Status.SWITCHING_PROTOCOLS);
                    head.headers().add("Upgrade", name);
                    return stream.switchTo(head, next);
                }
            }
            return false;
        }

        @Override
        public void refused(RefusedRequest request) {
            dispatcher.refused(request);
        }

        @Override
        public Dispatcher ofConnection(int most, Runnable reached) {
            return new UpgradeDispatcher(protocols, dispatcher.ofConnection(most, reached));
        }

        @Override
        public Turns turns() {
            return dispatcher.turns();
        }
    }
}

package io.millrace.proxyprotocol;

import io.millrace.io.Channel;
import io.millrace.io.Chunk;
import io.millrace.io.Connection;
import io.millrace.io.ConnectionHandler;
import io.millrace.io.ConnectionInfo;
import io.millrace.io.ForwardingConnection;
import io.millrace.io.ReadyLoop;
import io.millrace.settings.Settings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the header at the start of one connection, then passes the connection on. The timeout applies to the whole header: each
 * wait gets the remaining time, so that single bytes do not extend it. Holds no chunk while it waits, because the parser copies
 * the bytes.
 */
final class HeaderReceipt implements ConnectionHandler {

    private static final Duration LEAST_WAIT = Duration.ofMillis(1);

    private final Settings settings;
    private final ProxyHeaderLog log;
    private final Connection below;
    private final Consumer<Connection> onReady;
    private final HeaderParser parser = new HeaderParser();
    private final long start = System.nanoTime();
    private volatile boolean draining;

    HeaderReceipt(Settings settings, ProxyHeaderLog log, Connection below, Consumer<Connection> onReady) {
        this.settings = settings;
        this.log = log;
        this.below = below;
        this.onReady = onReady;
        below.install(this);
    }

    /** Reads the header of a trusted peer. */
    void begin() {
        below.idleTimeout(settings.get(ProxyProtocol.TIMEOUT));
        onReadable();
    }

    /** Closes the connection of a peer that is not trusted, although a header is required. */
    void rejectUntrusted() {
        refuse(ProxyHeaderRefusal.UNTRUSTED, settings.get(ProxyProtocol.TRUSTED).toString());
    }

    @Override
    public void onReadable() {
        try {
            Chunk chunk = below.read();
            while (chunk != null) {
                if (chunk.isEnd()) {
                    ended();
                    return;
                }
                if (!take(chunk).isOpen()) {
                    return;
                }
                chunk = below.read();
            }
        } catch (IOException broken) {
            below.close(broken);
            return;
        }
        await();
    }

    @Override
    public void onIdle() {
        await();
    }

    @Override
    public void onClosed(@Nullable Throwable cause) {
        // no resources to release
    }

    @Override
    public void drain() {
        draining = true;
    }

    private void await() {
        if (draining && parser.length() == 0) {
            below.close(null);
            return;
        }
        Duration limit = draining ? DRAIN_LIMIT : settings.get(ProxyProtocol.TIMEOUT);
        Duration left = limit.minusNanos(System.nanoTime() - start);
        if (left.compareTo(LEAST_WAIT) < 0) {
            late();
        } else {
            below.idleTimeout(left);
            below.awaitReadable();
        }
    }

    /** Without input, the peer is a client that sends no header and waits for the server; with input, the header is late. */
    private void late() {
        if (parser.length() == 0 && !ProxyProtocol.isRequired(settings)) {
            pass(below);
        } else {
            refuse(
                    ProxyHeaderRefusal.LATE,
                    String.valueOf(TimeUnit.MILLISECONDS.convert(settings.get(ProxyProtocol.TIMEOUT))));
        }
    }

    private void ended() {
        if (!ProxyProtocol.isRequired(settings)) {
            passUnchanged(Chunk.END, parser.length());
        } else if (parser.length() == 0) {
            below.close(null); // a port check
        } else {
            refuse(ProxyHeaderRefusal.BAD, "it is truncated after " + parser.length() + " bytes");
        }
    }

    /** Parses the header's part of a chunk, which it owns. */
    private HeaderState take(Chunk chunk) {
        int before = parser.length();
        ByteBuffer bytes = chunk.bytes();
        int begin = bytes.position();
        HeaderState state = parser.take(bytes);
        switch (state) {
            case COMPLETE -> passWithHeader(chunk);
            case ABSENT -> {
                bytes.position(begin);
                absent(chunk, before);
            }
            case REFUSED -> {
                chunk.release();
                refuse(ProxyHeaderRefusal.BAD, parser.defect());
            }
            default -> chunk.release();
        }
        return state;
    }

    private void passWithHeader(Chunk rest) {
        ProxyHeader header;
        try {
            header = parser.header();
        } catch (BadHeaderException bad) {
            rest.release();
            refuse(ProxyHeaderRefusal.BAD, String.valueOf(bad.getMessage()));
            return;
        }
        if (rest.bytes().hasRemaining()) {
            pass(new RelayedConnection(below, header.over(below.channel().info()), rest));
        } else {
            rest.release();
            pass(new RelayedConnection(below, header.over(below.channel().info())));
        }
    }

    private void absent(Chunk chunk, int before) {
        if (ProxyProtocol.isRequired(settings)) {
            chunk.release();
            refuse(ProxyHeaderRefusal.MISSING, "");
        } else {
            passUnchanged(chunk, before);
        }
    }

    /** No header: passes on all bytes, beginning with those that might have started one. */
    private void passUnchanged(Chunk chunk, int before) {
        if (before == 0) {
            pass(new RelayedConnection(below, below.channel().info(), chunk));
        } else {
            byte[] first = Arrays.copyOf(parser.taken(), before);
            pass(new RelayedConnection(below, below.channel().info(), Chunk.wrap(ByteBuffer.wrap(first)), chunk));
        }
    }

    /** The next layer sets its own timeouts. */
    private void pass(Connection above) {
        below.idleTimeout(Duration.ZERO);
        onReady.accept(above);
    }

    private void refuse(ProxyHeaderRefusal kind, String what) {
        log.refused(kind, below.channel().info().remote(), what);
        below.close(null);
    }

    /**
     * A connection with other properties than the one below, and with bytes that were already read from that. Once they are read, it
     * only delegates.
     */
    private static final class RelayedConnection extends ForwardingConnection {

        private final Channel channel;

        /** To be read first, in order; guarded by itself, because any thread may close the connection. */
        private final Queue<Chunk> early;

        private final ReadyLoop loop = new ReadyLoop();
        private volatile @Nullable ConnectionHandler handler;

        /** Takes the ownership of the chunks, which are the next input. */
        RelayedConnection(Connection below, ConnectionInfo info, Chunk... early) {
            super(below);
            channel = below.channel().with(info);
            this.early = new ArrayDeque<>(List.of(early));
        }

        @Override
        public @Nullable Chunk read() throws IOException {
            Chunk chunk = takeEarly();
            return chunk == null ? below().read() : chunk;
        }

        /** Calls the handler if there are early bytes, for which the connection below has no event. */
        @Override
        public void awaitReadable() {
            if (hasEarly()) {
                loop.run(this::call);
            } else {
                below().awaitReadable();
            }
        }

        @Override
        public void install(ConnectionHandler next) {
            handler = next;
            below().install(hasEarly() ? new Releasing(next) : next);
        }

        @Override
        public Channel channel() {
            return channel;
        }

        /** An exception of the handler closes the connection. */
        private void call() {
            ConnectionHandler waiting = handler;
            try {
                if (waiting != null) {
                    waiting.onReadable();
                }
            } catch (RuntimeException | Error thrown) {
                below().close(thrown);
                throw thrown;
            }
        }

        private @Nullable Chunk takeEarly() {
            synchronized (early) {
                return early.poll();
            }
        }

        private boolean hasEarly() {
            synchronized (early) {
                return !early.isEmpty();
            }
        }

        private void releaseEarly() {
            for (Chunk chunk = takeEarly(); chunk != null; chunk = takeEarly()) {
                chunk.release();
            }
        }

        /** Releases the early bytes if the connection is closed before they are read. */
        private final class Releasing implements ConnectionHandler {

            private final ConnectionHandler handler;

            Releasing(ConnectionHandler handler) {
                this.handler = handler;
            }

            @Override
            public void onReadable() {
                handler.onReadable();
            }

            @Override
            public void onIdle() {
                handler.onIdle();
            }

            @Override
            public void onClosed(@Nullable Throwable cause) {
                releaseEarly();
                handler.onClosed(cause);
            }

            @Override
            public void drain() {
                handler.drain();
            }
        }
    }
}

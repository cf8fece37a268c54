package io.millrace.proxyprotocol;

import io.millrace.io.Chunk;
import io.millrace.io.Connection;
import io.millrace.io.ConnectionHandler;
import io.millrace.settings.Settings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Receives the header at the start of one connection, then passes the connection on. The timeout is for the whole header:
 * each wait gets what is left of it, so that a byte now and then prolongs nothing. It holds no chunk while it waits: what
 * was taken so far lies in the parser.
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

    /** The peer is trusted: his header is read. */
    void begin() {
        below.idleTimeout(settings.get(ProxyProtocol.TIMEOUT));
        onReadable();
    }

    /** The peer is not trusted, and it takes a header to be served. */
    void turnAway() {
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
        // nothing is held here
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

    /** A client that waits for the server to speak has no header to send; one that has begun a header has. */
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
            below.close(null); // a check whether the port is open
        } else {
            refuse(ProxyHeaderRefusal.BAD, "it breaks off after " + parser.length() + " bytes");
        }
    }

    /** Takes the header's part of a chunk, and owns the chunk. */
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

    /** No header: every byte goes on, those that might have begun one first. */
    private void passUnchanged(Chunk chunk, int before) {
        if (before == 0) {
            pass(new RelayedConnection(below, below.channel().info(), chunk));
        } else {
            byte[] first = Arrays.copyOf(parser.taken(), before);
            pass(new RelayedConnection(below, below.channel().info(), Chunk.wrap(ByteBuffer.wrap(first)), chunk));
        }
    }

    /** Whoever comes next has timeouts of his own. */
    private void pass(Connection above) {
        below.idleTimeout(Duration.ZERO);
        onReady.accept(above);
    }

    private void refuse(ProxyHeaderRefusal kind, String what) {
        log.refused(kind, below.channel().info().remote(), what);
        below.close(null);
    }
}

package io.millrace.proxy;

import io.millrace.client.ClientStream;
import io.millrace.exchange.HttpExchange;
import io.millrace.http.Headers;
import io.millrace.io.AtomicField;
import io.millrace.io.BufferPool;
import io.millrace.io.Chunk;
import io.millrace.io.Payload;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Copies a response's body to the client. The head is sent with the first chunk, or immediately if there is none yet.
 *
 * <pre>
 * HEAD ──▶ COPYING ──last byte──▶ complete
 *   └─────────┴──failure──▶ aborted, as the backend's response was
 * </pre>
 *
 * <p>While the client has not received a chunk, more is read, up to a number of bytes and as long as half of the pool is free: a
 * response that fits does not keep its connection to the backend from others, however slow its client is. Then back-pressure reaches
 * the backend. A client that is fast enough is sent the chunks that were read.
 */
final class Download {

    /** The maximum number of buffers read from a dropped response in order to keep its connection. */
    private static final int MAX_DROPPED = 4;

    /** A longer piece takes a buffer for itself; shorter ones are joined. */
    private static final int SHORT = BufferPool.BUFFER_SIZE / 2;

    /** How full buffers are at least, on average: a long piece may follow a short one. */
    private static final int LEAST_FILLED = BufferPool.BUFFER_SIZE / 4;

    private static final VarHandle IN_FLIGHT = AtomicField.of(MethodHandles.lookup(), "inFlight", List.class);

    private final ProxiedRequest relay;
    private final HttpExchange exchange;
    private final ClientStream from;
    private final Runnable head;
    private final BufferPool buffers;
    private final int mostBytes;
    private final Pump pump = new Pump(this::copy);

    // set before the call that they stand for, and reset by its callback
    private volatile boolean awaiting;
    private volatile boolean writing;

    private volatile @Nullable Throwable failure;

    /** The chunks being written to the client. */
    @SuppressWarnings("UnusedVariable") // accessed by its handle
    private volatile @Nullable List<Chunk> inFlight;

    // confined to the pump
    private final Deque<Chunk> ahead = new ArrayDeque<>(4);
    private int buffersInFlight;
    private long bytesInFlight;
    private long bytesAhead;
    private boolean committed;
    private boolean read;
    private boolean lastPassed;
    private boolean over;

    /** The last of {@link #ahead}, if it was leased to join short pieces. */
    private @Nullable Chunk joined;

    /**
     * A response to be copied.
     *
     * @param head sets the response's head in the exchange; run before the first write
     * @param mostBytes of a response may wait for the client, and what was read with the last of them
     */
    Download(ProxiedRequest relay, HttpExchange exchange, ClientStream from, Runnable head, int mostBytes) {
        this.relay = relay;
        this.exchange = exchange;
        this.from = from;
        this.head = head;
        this.mostBytes = mostBytes;
        buffers = exchange.channel().buffers();
    }

    void begin() {
        pump.run();
    }

    /** Drops a response that is not forwarded. Its connection is kept if the response is short and was received completely. */
    static void drop(ClientStream response) {
        try {
            for (int i = 0; i < MAX_DROPPED; i++) {
                Chunk chunk = response.read();
                if (chunk == null || chunk.isEnd()) {
                    break;
                }
                chunk.release();
            }
        } catch (IOException broken) {
            // the connection is closed anyway
        } finally {
            response.abort(null);
        }
    }

    private void copy() {
        try {
            boolean more = !over;
            while (more) {
                more = step();
            }
        } catch (IOException | RuntimeException | Error broken) {
            end();
            relay.broken(broken, committed);
        }
    }

    /** False if nothing more can be done now. */
    private boolean step() throws IOException {
        Throwable unwritable = failure;
        if (unwritable != null) {
            end();
            relay.unwritable(unwritable);
            return false;
        }
        if (!writing && lastPassed) {
            over = true;
            relay.answered();
            return false;
        }
        if (!writing && !ahead.isEmpty()) {
            write();
            return true;
        }
        return !awaiting && !read && (!writing || mayReadAhead()) && read();
    }

    private boolean mayReadAhead() {
        int most = mostBytes / LEAST_FILLED + 1;
        return bytesInFlight + bytesAhead < mostBytes && buffersInFlight + ahead.size() < most && !buffers.isHalfLent();
    }

    /** False if there is nothing to read now. */
    private boolean read() throws IOException {
        Chunk chunk = from.read();
        if (chunk != null) {
            read = from.isRead();
            keep(chunk);
            if (read) {
                relay.read();
            }
            return true;
        }
        if (!committed) {
            write();
        }
        awaiting = true;
        from.awaitReadable(this::readable);
        return false;
    }

    private void readable() {
        awaiting = false;
        pump.run();
    }

    private void keep(Chunk chunk) {
        ByteBuffer piece = chunk.bytes();
        bytesAhead += piece.remaining();
        if (!writing || chunk.isEnd() || piece.remaining() > SHORT) {
            ahead.addLast(chunk);
            joined = null;
            return;
        }
        Chunk last = joined;
        if (last == null || last.bytes().capacity() - last.bytes().limit() < piece.remaining()) {
            last = buffers.tryLease();
            if (last == null) {
                ahead.addLast(chunk);
                joined = null;
                return;
            }
            last.bytes().limit(0);
            ahead.addLast(last);
            joined = last;
        }
        ByteBuffer room = last.bytes();
        int end = room.limit();
        room.limit(end + piece.remaining());
        room.put(end, piece, piece.position(), piece.remaining());
        chunk.release();
    }

    /** Writes what was read, or nothing but the head. */
    private void write() {
        List<Chunk> chunks = ahead.size() == 1 ? List.of(ahead.getFirst()) : List.copyOf(ahead);
        ahead.clear();
        joined = null;
        buffersInFlight = chunks.size();
        bytesInFlight = bytesAhead;
        bytesAhead = 0;
        inFlight = chunks;
        try {
            if (!committed) {
                head.run();
                committed = true;
            }
            if (read) {
                passTrailers();
            }
            lastPassed = read;
            writing = true;
            exchange.output().write(payload(chunks), read, this::written);
        } catch (RuntimeException | Error thrown) {
            release();
            throw thrown;
        }
    }

    private static Payload payload(List<Chunk> chunks) {
        return switch (chunks.size()) {
            case 0 -> Payload.NOTHING;
            case 1 -> Payload.of(chunks.get(0).bytes());
            default -> new Payload.Bytes(chunks.stream().map(Chunk::bytes).toArray(ByteBuffer[]::new));
        };
    }

    private void passTrailers() {
        Headers trailers = from.trailers();
        Headers announced = exchange.response().trailers();
        for (int i = 0; trailers != null && announced != null && i < trailers.size(); i++) {
            announced.add(trailers.name(i), trailers.value(i));
        }
    }

    private void written(@Nullable Throwable thrown) {
        release();
        failure = thrown;
        writing = false;
        pump.run();
    }

    /** Nothing more is copied; what is being written is released when that ends. */
    private void end() {
        over = true;
        ahead.forEach(Chunk::release);
        ahead.clear();
    }

    @SuppressWarnings("unchecked") // of the field's type
    private void release() {
        List<Chunk> chunks = (List<Chunk>) IN_FLIGHT.getAndSet(this, null);
        if (chunks != null) {
            chunks.forEach(Chunk::release);
        }
    }
}

package io.millrace.proxy;

import io.millrace.client.ClientStream;
import io.millrace.exchange.BodySource;
import io.millrace.exchange.HttpExchange;
import io.millrace.http.Headers;
import io.millrace.io.Chunk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Copies a request's body to the backend. Each chunk is read when the previous one was sent, so back-pressure reaches the client.
 * {@link BodyStart} decides when that begins: reading the body sends 100 to a client that expects it.
 *
 * <p>The first of the body is read before there is a connection for it: otherwise clients that announce bodies and send none would
 * hold all connections to a backend.
 *
 * <p><b>What was read is kept</b> until the response's head has come, so that it can be sent to another backend, up to a limit. What
 * exceeds it is sent as it comes; from then on the body cannot be sent again.
 *
 * <p><b>Threads.</b> The {@link Pump} copies, to the backend of the last {@link Attempt}. All other methods may be called by any
 * thread, {@link #collect} by the exchange's owner, before all others.
 */
final class Upload {

    private static final byte[] NOTHING = {};

    private final ProxiedRequest relay;
    private final HttpExchange exchange;
    private final KeptBodies keptBodies;
    private final long announced;
    private final Pump pump = new Pump(this::copy);

    // guarded by this

    /** The first bytes of the body, copied; bytes are only appended. */
    private byte[] kept = NOTHING;

    private int size;

    /** Whether all that was read so far is kept. */
    private boolean repeatable = true;

    /** Whether it has to be kept: the response's head has not come. */
    private boolean keeping = true;

    /** Was read after what is kept, and not sent yet. */
    private @Nullable Chunk unkept;

    private long left;
    private boolean complete;
    private @Nullable Headers trailers;
    private boolean over;
    private @Nullable Attempt current;

    /** The source will call: nobody reads until then. Set by the pump. */
    private volatile boolean awaiting;

    /** The body's way to one backend. Guarded by the upload. */
    static final class Attempt {
        private @Nullable ClientStream to;

        /** How much of what is kept was sent. */
        private int sent;

        private boolean sending;
        private boolean ended;

        /** The chunk that is being sent. */
        private @Nullable Chunk inFlight;
    }

    /** A piece for a backend. */
    private record Piece(
            Attempt attempt,
            ClientStream to,
            ByteBuffer bytes,
            boolean last,
            @Nullable Headers trailers) {}

    Upload(ProxiedRequest relay, HttpExchange exchange, KeptBodies keptBodies) {
        this.relay = relay;
        this.exchange = exchange;
        this.keptBodies = keptBodies;
        announced = RequestRewrite.bodyLength(exchange.request());
        left = announced;
    }

    // ---- before there is a connection

    /**
     * Waits until a connection is of use: for the whole body if its length is announced and short, for its first bytes if it is longer,
     * and for nothing if the length is unknown, because the client may wait for the response before it sends more.
     *
     * @param ready called then; not called if the body cannot be read
     */
    void collect(Runnable ready) {
        try {
            if (!isCollected()) {
                exchange.input().awaitReadable(() -> collect(ready));
                return;
            }
        } catch (IOException | RuntimeException | Error unreadable) {
            relay.unreadable(unreadable);
            return;
        }
        ready.run();
    }

    private boolean isCollected() throws IOException {
        while (!isEnough()) {
            Chunk chunk = exchange.input().read();
            if (chunk == null) {
                return announced < 0 || announced > KeptBodies.MAX_LENGTH && isBegun();
            }
            accept(chunk);
        }
        return true;
    }

    private synchronized boolean isEnough() {
        return complete || unkept != null || over;
    }

    private synchronized boolean isBegun() {
        return size > 0;
    }

    // ---- attempts

    /** Begins another attempt: to the previous backend nothing more is sent. */
    synchronized Attempt attempt() {
        Attempt next = new Attempt();
        current = next;
        return next;
    }

    /** Starts the body of an attempt, unless there is another one meanwhile, or none any more. */
    void start(Attempt attempt, ClientStream to) {
        synchronized (this) {
            attempt.to = to;
        }
        pump.run();
    }

    /** Ends the current attempt if the body can be sent again: then nothing more is sent, or read, before the next one. */
    synchronized boolean takeBack() {
        if (repeatable && !over) {
            current = null;
        }
        return repeatable && !over;
    }

    /** Whether all that was read is kept, so that it can be sent to another backend, too. */
    synchronized boolean isRepeatable() {
        return repeatable && !over;
    }

    /** The response's head has come: no further attempt will be made, and nothing more is kept. */
    synchronized void answered() {
        keeping = false;
        Attempt last = current;
        if (last == null || last.sent == size) {
            drop();
        }
    }

    /** The exchange has ended. */
    synchronized void forget() {
        over = true;
        current = null;
        drop();
        Chunk unsent = unkept;
        unkept = null;
        if (unsent != null) {
            unsent.release();
        }
    }

    private void drop() {
        keptBodies.remove(size);
        repeatable = false;
        kept = NOTHING;
        size = 0;
        Attempt last = current;
        if (last != null) {
            last.sent = 0;
        }
    }

    // ---- the body

    private void copy() {
        try {
            boolean more = true;
            while (more) {
                Piece next = next();
                if (next != null) {
                    send(next);
                } else {
                    more = mayRead() && read();
                }
            }
        } catch (IOException | RuntimeException | Error unreadable) {
            relay.unreadable(unreadable);
        }
    }

    /** What can be sent now; null if there is nothing. */
    private synchronized @Nullable Piece next() {
        Attempt attempt = current;
        ClientStream to = attempt == null ? null : attempt.to;
        if (attempt == null || to == null || attempt.sending || attempt.ended) {
            return null;
        }
        ByteBuffer bytes;
        if (attempt.sent < size) {
            bytes = ByteBuffer.wrap(kept, attempt.sent, size - attempt.sent).slice();
            attempt.sent = size;
        } else if (unkept != null) {
            bytes = unkept.bytes();
            attempt.inFlight = unkept;
            unkept = null;
            drop();
        } else if (complete) {
            bytes = ByteBuffer.allocate(0);
        } else {
            return null;
        }
        boolean all = complete && unkept == null;
        attempt.sending = true;
        attempt.ended = all && (trailers == null || !bytes.hasRemaining());
        if (!keeping && repeatable) {
            drop();
        }
        return new Piece(attempt, to, bytes, attempt.ended, attempt.ended ? trailers : null);
    }

    private void send(Piece piece) {
        Attempt attempt = piece.attempt();
        try {
            Headers fields = piece.trailers();
            if (fields != null) {
                piece.to().trailers(relay.passed(fields));
            }
            piece.to().send(piece.bytes(), piece.last(), failure -> {
                release(attempt);
                if (failure == null) { // otherwise the relay is notified by ResponseListener.onFailed
                    sent(attempt);
                }
            });
        } catch (RuntimeException | Error thrown) {
            release(attempt);
            throw thrown;
        }
    }

    private synchronized void release(Attempt attempt) {
        Chunk chunk = attempt.inFlight;
        attempt.inFlight = null;
        if (chunk != null) {
            chunk.release();
        }
    }

    private void sent(Attempt attempt) {
        synchronized (this) {
            attempt.sending = false;
        }
        pump.run();
    }

    private synchronized boolean mayRead() {
        Attempt attempt = current;
        return attempt != null && attempt.to != null && !attempt.sending && !complete && !awaiting;
    }

    /** False if there is nothing to read now. */
    private boolean read() throws IOException {
        Chunk chunk = exchange.input().read();
        if (chunk != null) {
            accept(chunk);
            return true;
        }
        awaiting = true;
        exchange.input().awaitReadable(this::readable);
        return false;
    }

    private void readable() {
        awaiting = false;
        pump.run();
    }

    /** Keeps a chunk, or holds it until it is sent. */
    private void accept(Chunk chunk) throws IOException {
        BodySource from = exchange.input();
        Headers ending = chunk.isEnd() ? from.trailers() : null;
        synchronized (this) {
            if (chunk.isEnd()) {
                trailers = ending;
                complete = true;
                return;
            }
            int more = chunk.bytes().remaining();
            left -= more;
            complete = left == 0;
            if (over || keep(chunk.bytes(), more)) {
                chunk.release();
            } else {
                unkept = chunk;
            }
        }
    }

    private boolean keep(ByteBuffer bytes, int more) {
        int all = size + more;
        if (!keeping || !repeatable || all > KeptBodies.MAX_LENGTH || !keptBodies.add(more)) {
            return false;
        }
        if (all > kept.length) {
            long room = announced > 0 ? Math.min(announced, 2L * all) : all;
            try {
                kept = Arrays.copyOf(kept, (int) Math.max(all, room));
            } catch (OutOfMemoryError full) {
                keptBodies.remove(more);
                return false;
            }
        }
        bytes.get(kept, size, more);
        size = all;
        return true;
    }
}

package io.millrace.proxy;

import io.millrace.client.ClientStream;
import io.millrace.exchange.BodySource;
import io.millrace.exchange.HttpExchange;
import io.millrace.http.Headers;
import io.millrace.http.TrailerSyntax;
import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Copies a request's body to the backend. Each chunk is read when the previous one was sent, so back-pressure reaches the client.
 * {@link BodyStart} decides when that begins: reading the body sends 100 to a client that expects it.
 *
 * <p>The first of the body is read before there is a connection for it: otherwise clients that announce bodies and send none would
 * hold all connections to a backend. A body that is short, and complete by then, is kept, so that it can be sent again.
 *
 * <p>Confined to the thread that reads or sends, one at a time; but a complete body is immutable, and any number of threads may send it.
 */
final class Upload {

    private final Relay relay;
    private final HttpExchange exchange;
    private final KeptBodies keptBodies;
    private final long announced;
    private long left;

    /** The first bytes of the body, copied; nothing is appended once it is sent. Null if it was forgotten. */
    private volatile byte @Nullable [] kept = new byte[0];

    private volatile int size;
    private volatile boolean complete;
    private @Nullable Headers trailers;

    /** Was read before there was a connection, but is not kept. */
    private final AtomicReference<@Nullable Chunk> unkept = new AtomicReference<>();

    /** The chunk being sent to the backend. */
    private @Nullable Chunk inFlight;

    Upload(Relay relay, HttpExchange exchange, KeptBodies keptBodies) {
        this.relay = relay;
        this.exchange = exchange;
        this.keptBodies = keptBodies;
        announced = RequestRewrite.bodyLength(exchange.request());
        left = announced;
    }

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
        BodySource from = exchange.input();
        while (!complete) {
            Chunk chunk = from.read();
            if (chunk == null) {
                return announced < 0;
            }
            if (chunk.isEnd()) {
                trailers = from.trailers();
                complete = true;
            } else if (keep(chunk)) {
                complete = left == 0;
            } else {
                unkept.set(chunk);
                if (kept == null) {
                    forget(); // the exchange has ended meanwhile
                }
                return true;
            }
        }
        return true;
    }

    /** Excludes {@link #forget}, so that what is kept is removed once. */
    private synchronized boolean keep(Chunk chunk) {
        ByteBuffer bytes = chunk.bytes();
        byte[] before = kept;
        int more = bytes.remaining();
        int all = size + more;
        if (before == null
                || announced > KeptBodies.MAX_LENGTH
                || all > KeptBodies.MAX_LENGTH
                || !keptBodies.add(more)) {
            return false;
        }
        byte[] after = before;
        if (all > before.length) {
            long room = announced > 0 ? Math.min(announced, 2L * all) : all;
            after = Arrays.copyOf(before, (int) Math.max(all, room));
        }
        bytes.get(after, size, more);
        chunk.release();
        left -= more;
        kept = after;
        size = all;
        return true;
    }

    /** Whether the whole body is kept, so that it can be sent to another backend, too. */
    boolean isRepeatable() {
        return complete && kept != null;
    }

    /** Drops what is kept: no further attempt will be made. Thread-safe; may be called more than once. */
    void forget() {
        synchronized (this) {
            if (kept != null) {
                kept = null;
                keptBodies.remove(size);
            }
        }
        Chunk unsent = unkept.getAndSet(null);
        if (unsent != null) {
            unsent.release();
        }
    }

    /** Sends the body. Called once for each backend, and more than once only if it {@link #isRepeatable}. */
    void start(ClientStream to) {
        byte[] first = kept;
        if (first == null) {
            return; // the exchange has ended
        }
        ByteBuffer bytes = ByteBuffer.wrap(first, 0, size);
        if (!complete && size == 0) {
            sendUnkept(to);
        } else if (!complete) {
            to.send(bytes, false, failure -> {
                if (failure == null) {
                    sendUnkept(to);
                }
            });
        } else if (trailers == null) {
            to.send(bytes, true, Completion.IGNORE);
        } else {
            to.send(bytes, false, failure -> {
                if (failure == null) {
                    end(to, trailers);
                }
            });
        }
    }

    private void sendUnkept(ClientStream to) {
        Chunk chunk = unkept.getAndSet(null);
        if (chunk == null) {
            copy(to);
        } else {
            send(to, chunk);
        }
    }

    /** Sends what has not been read. */
    private void copy(ClientStream to) {
        BodySource from = exchange.input();
        try {
            Chunk chunk = from.read();
            if (chunk == null) {
                from.awaitReadable(() -> copy(to));
            } else if (chunk.isEnd()) {
                end(to, from.trailers());
            } else {
                send(to, chunk);
            }
        } catch (IOException | RuntimeException | Error unreadable) {
            release();
            relay.unreadable(unreadable);
        }
    }

    private void send(ClientStream to, Chunk chunk) {
        inFlight = chunk;
        left -= chunk.bytes().remaining();
        boolean last = left == 0;
        to.send(chunk.bytes(), last, failure -> {
            release();
            if (failure == null && !last) {
                copy(to);
            } // a failure reaches the relay through ResponseListener.onFailed
        });
    }

    private void release() {
        Chunk taken = inFlight;
        inFlight = null;
        if (taken != null) {
            taken.release();
        }
    }

    /** Ends a body of unknown length; a body of known length ends with its last byte. */
    private static void end(ClientStream to, @Nullable Headers trailers) {
        if (trailers != null) {
            to.trailers(TrailerSyntax.allowed(trailers));
        }
        to.send(ByteBuffer.allocate(0), true, Completion.IGNORE);
    }
}

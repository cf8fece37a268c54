package io.millrace.proxy;

import io.millrace.client.ClientStream;
import io.millrace.exchange.HttpExchange;
import io.millrace.http.Headers;
import io.millrace.io.Chunk;
import io.millrace.io.Payload;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A response's body on its way to the client: a chunk is read when the one before it was taken, so a slow client slows the backend,
 * and none costs more memory than a buffer. The response's head goes with the first chunk, or at once if there is none yet.
 *
 * <pre>
 * HEAD ──▶ COPYING ──last byte──▶ whole
 *   └─────────┴──broken──▶ cut: the client's response ends like the backend's
 * </pre>
 *
 * Confined to whoever reads or writes, one after the other.
 */
final class Download {

    /** Buffers that a response of an error has at most, if its connection is worth more than reading it. */
    private static final int MOST_DROPPED = 4;

    private final Relay relay;
    private final HttpExchange exchange;
    private final ClientStream from;
    private final Runnable head;
    private boolean committed;

    /** Read, and not yet taken by the client's connection. */
    private @Nullable Chunk underWay;

    /** @param head makes the response's head in the exchange; run before the first of it is sent */
    Download(Relay relay, HttpExchange exchange, ClientStream from, Runnable head) {
        this.relay = relay;
        this.exchange = exchange;
        this.from = from;
        this.head = head;
    }

    void begin() {
        copy();
    }

    /** Of a response that is not passed on: its connection is kept if what has come is all of it. */
    static void drop(ClientStream response) {
        try {
            for (int i = 0; i < MOST_DROPPED; i++) {
                Chunk chunk = response.read();
                if (chunk == null || chunk.isEnd()) {
                    break;
                }
                chunk.release();
            }
        } catch (IOException broken) {
            // as good as whole
        } finally {
            response.abort(null);
        }
    }

    private void copy() {
        try {
            Chunk chunk = from.read();
            if (chunk != null) {
                pass(chunk);
            } else if (committed) {
                from.awaitReadable(this::copy);
            } else {
                commit();
                exchange.output().write(Payload.NOTHING, false, this::passed);
            }
        } catch (IOException | RuntimeException | Error broken) {
            release();
            relay.broken(broken, committed);
        }
    }

    private void pass(Chunk chunk) {
        underWay = chunk;
        boolean last = from.isRead();
        commit();
        Headers trailers = last ? from.trailers() : null;
        Headers announced = exchange.response().trailers();
        for (int i = 0; trailers != null && announced != null && i < trailers.size(); i++) {
            announced.add(trailers.name(i), trailers.value(i));
        }
        exchange.output().write(Payload.of(chunk.bytes()), last, last ? this::passedLast : this::passed);
    }

    /** The client may have waited for nothing but the head. */
    private void commit() {
        if (!committed) {
            head.run();
            committed = true;
        }
    }

    private void passed(@Nullable Throwable failure) {
        release();
        if (failure == null) {
            copy();
        } else {
            relay.unwritable(failure);
        }
    }

    private void passedLast(@Nullable Throwable failure) {
        release();
        if (failure == null) {
            relay.answered();
        } else {
            relay.unwritable(failure);
        }
    }

    private void release() {
        Chunk taken = underWay;
        underWay = null;
        if (taken != null) {
            taken.release();
        }
    }
}

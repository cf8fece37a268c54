package io.millrace.proxy;

import io.millrace.client.ClientStream;
import io.millrace.exchange.HttpExchange;
import io.millrace.http.Headers;
import io.millrace.io.Chunk;
import io.millrace.io.Payload;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Copies a response's body to the client. Each chunk is read when the previous one was written, so back-pressure reaches the backend,
 * and a response takes at most one buffer. The head is sent with the first chunk, or immediately if there is none yet.
 *
 * <pre>
 * HEAD ──▶ COPYING ──last byte──▶ complete
 *   └─────────┴──failure──▶ aborted, as the backend's response was
 * </pre>
 *
 * <p>Confined to the thread that reads or writes, one at a time.
 */
final class Download {

    /** The maximum number of buffers read from a dropped response in order to keep its connection. */
    private static final int MOST_DROPPED = 4;

    private final Relay relay;
    private final HttpExchange exchange;
    private final ClientStream from;
    private final Runnable head;
    private boolean committed;

    /** The chunk being written to the client. */
    private @Nullable Chunk inFlight;

    /** @param head sets the response's head in the exchange; run before the first write */
    Download(Relay relay, HttpExchange exchange, ClientStream from, Runnable head) {
        this.relay = relay;
        this.exchange = exchange;
        this.from = from;
        this.head = head;
    }

    void begin() {
        copy();
    }

    /** Drops a response that is not forwarded. Its connection is kept if the response is short and was received completely. */
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
            // the connection is closed anyway
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
        inFlight = chunk;
        boolean last = from.isRead();
        commit();
        Headers trailers = last ? from.trailers() : null;
        Headers announced = exchange.response().trailers();
        for (int i = 0; trailers != null && announced != null && i < trailers.size(); i++) {
            announced.add(trailers.name(i), trailers.value(i));
        }
        exchange.output().write(Payload.of(chunk.bytes()), last, last ? this::passedLast : this::passed);
    }

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
        Chunk taken = inFlight;
        inFlight = null;
        if (taken != null) {
            taken.release();
        }
    }
}

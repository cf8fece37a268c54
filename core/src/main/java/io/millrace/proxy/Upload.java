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
import org.jspecify.annotations.Nullable;

/**
 * Copies a request's body to the backend. Each chunk is read when the previous one was sent, so back-pressure reaches the client.
 * {@link BodyStart} decides when that begins: reading the body sends 100 to a client that expects it.
 *
 * <p>Confined to the thread that reads or sends, one at a time.
 */
final class Upload {

    private final Relay relay;
    private final HttpExchange exchange;
    private long left;

    /** The chunk being sent to the backend. */
    private @Nullable Chunk inFlight;

    Upload(Relay relay, HttpExchange exchange) {
        this.relay = relay;
        this.exchange = exchange;
        left = RequestRewrite.bodyLength(exchange.request());
    }

    /** Sends the body. Called once, because what was read is not kept. */
    void copy(ClientStream to) {
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

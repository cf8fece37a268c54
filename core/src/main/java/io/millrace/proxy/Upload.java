package io.millrace.proxy;

import io.millrace.client.ClientStream;
import io.millrace.exchange.BodySource;
import io.millrace.exchange.HttpExchange;
import io.millrace.http.Headers;
import io.millrace.http.TrailerSyntax;
import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.Timers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Copies a request's body to the backend. Each chunk is read when the previous one was sent, so back-pressure reaches the client.
 *
 * <p>A client that expects 100 (RFC 9110, 10.1.1) gets it when its body is read. So the body is read when the backend has sent 100, or
 * after a second, because some backends never send it.
 *
 * <pre>
 * WAITING ──100, or a second──▶ COPYING ──end──▶ sent
 *    └──the final response: the body is never read
 * </pre>
 *
 * <p>Confined to the thread that reads or sends, one at a time; {@link #proceed} is thread-safe.
 */
final class Upload {

    private static final Duration CONTINUE_TIMEOUT = Duration.ofSeconds(1);

    private final Relay relay;
    private final HttpExchange exchange;
    private final AtomicBoolean begun = new AtomicBoolean();
    private volatile @Nullable ClientStream stream;
    private volatile Timers.@Nullable Timer timer;
    private long left;

    /** The chunk being sent to the backend. */
    private @Nullable Chunk inFlight;

    Upload(Relay relay, HttpExchange exchange) {
        this.relay = relay;
        this.exchange = exchange;
        left = RequestRewrite.bodyLength(exchange.request());
    }

    /** Has reading the body begun? The request can then not be retried. */
    boolean hasBegun() {
        return begun.get();
    }

    /** The request's head was sent. */
    void begin(ClientStream to) {
        stream = to;
        if (exchange.request().headers().contains("Expect")) {
            timer = exchange.channel().timers().schedule(this::proceed, CONTINUE_TIMEOUT);
        } else {
            proceed();
        }
    }

    /** The backend has sent 100, or the wait for it has timed out. */
    void proceed() {
        stopWaiting();
        if (stream != null && begun.compareAndSet(false, true)) {
            copy();
        }
    }

    /** Cancels the timeout. */
    void stopWaiting() {
        Timers.Timer running = timer;
        if (running != null) {
            running.cancel();
        }
    }

    private void copy() {
        ClientStream to = stream;
        if (to == null) {
            return;
        }
        BodySource from = exchange.input();
        try {
            Chunk chunk = from.read();
            if (chunk == null) {
                from.awaitReadable(this::copy);
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
                copy();
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

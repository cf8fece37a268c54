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
 * A request's body on its way to the backend: a chunk is read when the one before it was sent, so a slow backend slows the client.
 *
 * <p>A client that waits for 100 (RFC 9110, 10.1.1) waits for the backend's: reading its body is what sends it one. So the body is
 * not read before the backend has asked for it; or after a second, since there are backends that never ask.
 *
 * <pre>
 * WAITING ──100, or a second──▶ COPYING ──end──▶ sent
 *    └──the final response: the body is never asked for
 * </pre>
 *
 * Confined to whoever reads or sends, one after the other; {@link #proceed} may come from elsewhere.
 */
final class Upload {

    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final Relay relay;
    private final HttpExchange exchange;
    private final AtomicBoolean begun = new AtomicBoolean();
    private volatile @Nullable ClientStream stream;
    private volatile Timers.@Nullable Timer timer;
    private long left;

    /** Read, and not yet taken by the backend's connection. */
    private @Nullable Chunk underWay;

    Upload(Relay relay, HttpExchange exchange) {
        this.relay = relay;
        this.exchange = exchange;
        left = RequestRewrite.bodyLength(exchange.request());
    }

    /** Was any of the body asked for? Then it can't be sent again. */
    boolean hasBegun() {
        return begun.get();
    }

    /** The request's head was sent. */
    void begin(ClientStream to) {
        stream = to;
        if (exchange.request().headers().contains("Expect")) {
            timer = exchange.channel().timers().schedule(this::proceed, PATIENCE);
        } else {
            proceed();
        }
    }

    /** The backend wants the body, or most likely does. */
    void proceed() {
        stopWaiting();
        if (stream != null && begun.compareAndSet(false, true)) {
            copy();
        }
    }

    /** Nothing is to happen by the time alone any more. */
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
        underWay = chunk;
        left -= chunk.bytes().remaining();
        boolean last = left == 0;
        to.send(chunk.bytes(), last, failure -> {
            release();
            if (failure == null && !last) {
                copy();
            } // a failure is told to the relay by the response that does not come
        });
    }

    private void release() {
        Chunk taken = underWay;
        underWay = null;
        if (taken != null) {
            taken.release();
        }
    }

    /** Only a body of unknown length gets here; of another the last byte was the end. */
    private static void end(ClientStream to, @Nullable Headers trailers) {
        if (trailers != null) {
            to.trailers(TrailerSyntax.allowed(trailers));
        }
        to.send(ByteBuffer.allocate(0), true, Completion.IGNORE);
    }
}

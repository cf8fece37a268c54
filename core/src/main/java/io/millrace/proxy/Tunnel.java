package io.millrace.proxy;

import io.millrace.client.ClientStream;
import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.NonBlockingHandler;
import io.millrace.exchange.Suspension;
import io.millrace.exchange.TunnelHandler;
import io.millrace.http.Headers;
import io.millrace.io.Chunk;
import io.millrace.io.Payload;
import io.millrace.io.Timers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Copies between a client and a backend that have switched protocols, independently in each direction; half-close is supported. Holds
 * no buffer while idle. Ends when both directions have ended, one has failed, or the client's connection has been idle for the idle
 * timeout.
 */
final class Tunnel implements TunnelHandler {

    /** The timeout for opening the tunnel: {@link #handle} is not called if the client's connection breaks first. */
    private static final Duration OPENING = Duration.ofSeconds(30);

    private final ClientStream backend;
    private final Duration idleTimeout;
    private final Timers.Timer opening;
    private final AtomicInteger directions = new AtomicInteger(2);
    private @Nullable HttpExchange exchange;
    private @Nullable Suspension suspension;

    Tunnel(ClientStream backend, Duration idleTimeout, Timers timers) {
        this.backend = backend;
        this.idleTimeout = idleTimeout;
        opening = timers.schedule(() -> backend.abort(null), OPENING);
    }

    /** Sends the response to the client and opens the tunnel. */
    NonBlockingHandler opening(Headers response) {
        return exchanged -> {
            Headers fields = exchanged.response().headers();
            for (int i = 0; i < response.size(); i++) {
                fields.add(response.name(i), response.value(i));
            }
            fields.set("Upgrade", "websocket");
            exchanged.tunnel(this);
        };
    }

    @Override
    public Duration idleTimeout() {
        return idleTimeout;
    }

    @Override
    public void handle(HttpExchange tunnel) {
        opening.cancel();
        exchange = tunnel;
        tunnel.onEnd(outcome -> backend.abort(null));
        suspension = tunnel.suspend(Duration.ZERO, expired -> {});
        upload(tunnel);
        download(tunnel);
    }

    private void upload(HttpExchange from) {
        try {
            Chunk chunk = from.input().read();
            if (chunk == null) {
                from.input().awaitReadable(() -> upload(from));
            } else if (chunk.isEnd()) {
                backend.send(ByteBuffer.allocate(0), true, this::ended);
            } else {
                backend.send(chunk.bytes(), false, failure -> {
                    chunk.release();
                    if (failure == null) {
                        upload(from);
                    } else {
                        abort(failure);
                    }
                });
            }
        } catch (IOException | RuntimeException | Error broken) {
            abort(broken);
        }
    }

    private void download(HttpExchange to) {
        try {
            Chunk chunk = backend.read();
            if (chunk == null) {
                backend.awaitReadable(() -> download(to));
            } else if (chunk.isEnd()) {
                to.output().write(Payload.NOTHING, true, this::ended);
            } else {
                to.output().write(Payload.of(chunk.bytes()), false, failure -> {
                    chunk.release();
                    if (failure == null) {
                        download(to);
                    } else {
                        abort(failure);
                    }
                });
            }
        } catch (IOException | RuntimeException | Error broken) {
            abort(broken);
        }
    }

    /** A direction has ended. */
    private void ended(@Nullable Throwable failure) {
        Suspension held = suspension;
        if (failure != null) {
            abort(failure);
        } else if (directions.decrementAndGet() == 0 && held != null) {
            held.complete();
        }
    }

    private void abort(Throwable cause) {
        backend.abort(cause);
        HttpExchange open = exchange;
        if (open != null) {
            open.abort(cause);
        }
    }
}

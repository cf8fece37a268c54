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
 * A client and a backend that have agreed upon another protocol: what one sends the other gets, each direction by itself, and each
 * ends by itself. Holds no buffer while nothing moves. It is over when both directions are, or one is broken, or nothing moved on the
 * client's side for the idle timeout.
 */
final class Tunnel implements TunnelHandler {

    /** The client's connection may break before it has switched, and then nobody calls. */
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

    /** Answers the client, and begins with the tunnel. */
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
        up(tunnel);
        down(tunnel);
    }

    private void up(HttpExchange from) {
        try {
            Chunk chunk = from.input().read();
            if (chunk == null) {
                from.input().awaitReadable(() -> up(from));
            } else if (chunk.isEnd()) {
                backend.send(ByteBuffer.allocate(0), true, this::ended);
            } else {
                backend.send(chunk.bytes(), false, failure -> {
                    chunk.release();
                    if (failure == null) {
                        up(from);
                    } else {
                        cut(failure);
                    }
                });
            }
        } catch (IOException | RuntimeException | Error broken) {
            cut(broken);
        }
    }

    private void down(HttpExchange to) {
        try {
            Chunk chunk = backend.read();
            if (chunk == null) {
                backend.awaitReadable(() -> down(to));
            } else if (chunk.isEnd()) {
                to.output().write(Payload.NOTHING, true, this::ended);
            } else {
                to.output().write(Payload.of(chunk.bytes()), false, failure -> {
                    chunk.release();
                    if (failure == null) {
                        down(to);
                    } else {
                        cut(failure);
                    }
                });
            }
        } catch (IOException | RuntimeException | Error broken) {
            cut(broken);
        }
    }

    /** A direction has come to its end. */
    private void ended(@Nullable Throwable failure) {
        Suspension held = suspension;
        if (failure != null) {
            cut(failure);
        } else if (directions.decrementAndGet() == 0 && held != null) {
            held.complete();
        }
    }

    private void cut(Throwable cause) {
        backend.abort(cause);
        HttpExchange mine = exchange;
        if (mine != null) {
            mine.abort(cause);
        }
    }
}

package io.millrace.handler;

import io.millrace.exchange.BodySource;
import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.NonBlockingHandler;
import io.millrace.exchange.Suspension;
import io.millrace.io.Chunk;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Locale;

/**
 * Receives the whole body of a request before its handler runs. A client that sends slowly holds no thread meanwhile, and memory
 * only for what it has sent; how long it may take is a setting of the connector ({@link
 * io.millrace.protocol.HttpOptions}). A larger body gets a 413 response.
 */
public final class RequestBody {

    private static final int TOO_LARGE = 413;

    private static final HttpHandler NEVER = exchange -> {};

    private RequestBody() {}

    /** Handles a request whose body has been received. May block. */
    @FunctionalInterface
    public interface Use {

        /**
         * Handles it.
         *
         * @param body the bytes; empty if the request has none
         * @throws Exception any exception, with the same effect as that of a handler
         */
        void handle(HttpExchange exchange, byte[] body) throws Exception;
    }

    /**
     * A handler that receives bodies of at most so many bytes.
     *
     * @param use called on a worker
     */
    public static NonBlockingHandler upTo(int maxBytes, Use use) {
        if (maxBytes < 0) {
            throw new IllegalArgumentException(
                    "the largest body has " + maxBytes + " bytes; expected a number that is not negative");
        }
        return exchange -> receive(exchange, maxBytes, use);
    }

    /** The media type that Content-Type names, in lower case, without parameters; empty if there is none. */
    static String mediaType(HttpExchange exchange) {
        String field = exchange.request().headers().get("Content-Type");
        String type = field == null ? "" : field;
        int end = type.indexOf(';');
        return (end < 0 ? type : type.substring(0, end)).strip().toLowerCase(Locale.ROOT);
    }

    private static void receive(HttpExchange exchange, int maxBytes, Use use) throws IOException {
        if (exchange.request().contentLength() > maxBytes) {
            Responses.error(exchange, TOO_LARGE);
            return;
        }
        Collection collection = new Collection(exchange.input(), maxBytes);
        if (collection.read()) {
            exchange.dispatch(collection.then(use));
        } else {
            Suspension suspension = exchange.suspend(Duration.ZERO, NEVER);
            collection.await(suspension, use);
        }
    }

    /** Collects one body. Confined to one thread at a time: the owner of the exchange, then whoever notices further input. */
    private static final class Collection {

        private final BodySource source;
        private final int maxBytes;
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private boolean tooLarge;

        Collection(BodySource source, int maxBytes) {
            this.source = source;
            this.maxBytes = maxBytes;
        }

        /** Reads what is available; true at the end of the body, or when it is too large. */
        boolean read() throws IOException {
            for (Chunk chunk = source.read(); chunk != null; chunk = source.read()) {
                if (chunk.isEnd()) {
                    return true;
                }
                try {
                    take(chunk.bytes());
                } finally {
                    chunk.release();
                }
                if (tooLarge) {
                    return true;
                }
            }
            return false;
        }

        private void take(ByteBuffer piece) {
            if (piece.remaining() > maxBytes - bytes.size()) {
                tooLarge = true;
                return;
            }
            byte[] copy = new byte[piece.remaining()];
            piece.get(copy);
            bytes.write(copy, 0, copy.length);
        }

        void await(Suspension suspension, Use use) {
            source.awaitReadable(() -> {
                try {
                    if (read()) {
                        suspension.resume(then(use));
                    } else {
                        await(suspension, use);
                    }
                } catch (IOException | RuntimeException | Error failed) {
                    suspension.fail(failed);
                }
            });
        }

        HttpHandler then(Use use) {
            return exchange -> {
                if (tooLarge) {
                    Responses.error(exchange, TOO_LARGE);
                } else {
                    use.handle(exchange, bytes.toByteArray());
                }
            };
        }
    }
}

package io.millrace.exchange;

import io.millrace.io.Payload;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Writes one line of text with the status, and no internal information. */
final class PlainErrorResponder implements ErrorResponder {

    @Override
    public Payload body(HttpExchange exchange, int status, @Nullable Throwable failure) {
        exchange.response().headers().add("Content-Type", "text/plain;charset=utf-8");
        return Payload.of(ByteBuffer.wrap(text(status).getBytes(StandardCharsets.US_ASCII)));
    }

    private static String text(int status) {
        return switch (status) {
            case 500 -> "500 The server failed to answer this request.\n";
            case 503 -> "503 The server is too busy to answer this request.\n";
            default -> status + "\n";
        };
    }
}

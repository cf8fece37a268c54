package io.millrace.handler;

import io.millrace.exchange.ErrorResponder;
import io.millrace.exchange.HttpExchange;
import io.millrace.http.Headers;
import io.millrace.io.Payload;
import io.millrace.protocol.ProtocolException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Error responses in HTML, JSON or text, by the client's {@code Accept} field. They contain the meaning of the status,
 * or the message of a {@link ProtocolException} that is meant for clients; neither internal details nor anything that
 * the client sent, unless an {@link ErrorReport} enables it.
 */
public final class ErrorPages implements ErrorResponder {

    public ErrorPages() {}

    @Override
    public Payload body(HttpExchange exchange, int status, @Nullable Throwable failure) {
        ErrorDocument document = ErrorDocument.of(exchange, status, explanation(failure), failure);
        Headers headers = exchange.response().headers();
        headers.set("Content-Type", document.contentType());
        document.describe(headers);
        return Payload.of(ByteBuffer.wrap(document.body()));
    }

    private static @Nullable String explanation(@Nullable Throwable failure) {
        Throwable cause = failure == null || failure instanceof ProtocolException ? failure : failure.getCause();
        return cause instanceof ProtocolException refusal ? refusal.explanation() : null;
    }
}

package io.millrace.handler;

import io.millrace.exchange.ErrorResponder;
import io.millrace.exchange.HttpExchange;
import io.millrace.http.Headers;
import io.millrace.io.Payload;
import io.millrace.protocol.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Error responses as a small page, as JSON or as text, whichever the client's {@code Accept} field prefers. They say what
 * the status means, or what a {@link ProtocolException} has for clients; what went wrong inside and what the client sent stay
 * out of them.
 */
public final class ErrorPages implements ErrorResponder {

    public ErrorPages() {}

    @Override
    public Payload body(HttpExchange exchange, int status, @Nullable Throwable failure) {
        ErrorForm form = ErrorForm.preferred(exchange.request().headers().get("Accept"));
        Headers headers = exchange.response().headers();
        headers.set("Content-Type", form.contentType());
        byte[] body = form.render(status, explanation(status, failure)).getBytes(StandardCharsets.UTF_8);
        return Payload.of(ByteBuffer.wrap(body));
    }

    private static String explanation(int status, @Nullable Throwable failure) {
        Throwable cause = failure == null || failure instanceof ProtocolException ? failure : failure.getCause();
        String own = cause instanceof ProtocolException refusal ? refusal.explanation() : null;
        return own == null ? explanation(status) : own;
    }

    private static String explanation(int status) {
        return switch (status) {
            case 400 -> "The server could not understand this request.";
            case 401 -> "This needs authentication.";
            case 403 -> "Access to this is not allowed.";
            case 404 -> "There is nothing here.";
            case 405 -> "This does not support the method of the request.";
            case 408 -> "The request took too long to arrive.";
            case 413 -> "The body of the request is too large.";
            case 414 -> "The address of the request is too long.";
            case 417 -> "The expectation of the request can't be met.";
            case 431 -> "The header of the request is too large.";
            case 500 -> "The server failed to answer this request.";
            case 501 -> "The server does not support what the request asks for.";
            case 502 -> "The server behind this one gave no valid answer.";
            case 503 -> "The server can't answer right now. Please try again later.";
            case 504 -> "The server behind this one gave no answer in time.";
            case 505 -> "The server does not support this version of HTTP.";
            default -> status < 500 ? "The request can't be served." : "The server failed to answer this request.";
        };
    }
}

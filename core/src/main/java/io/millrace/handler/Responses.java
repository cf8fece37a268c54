package io.millrace.handler;

import io.millrace.exchange.AttributeKey;
import io.millrace.exchange.ErrorResponder;
import io.millrace.exchange.HttpExchange;
import io.millrace.http.Headers;
import io.millrace.io.Completion;
import io.millrace.io.Payload;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Whole responses in one call, none of which blocks: to be the last thing a handler does with its exchange. Header fields
 * set before stay; {@code Content-Type} is replaced.
 */
public final class Responses {

    /** Writes the bodies of errors that handlers answer themselves, if it is not {@link ErrorPages}. */
    public static final AttributeKey<ErrorResponder> ERRORS = AttributeKey.of("error responder", ErrorResponder.class);

    private static final ErrorResponder DEFAULT_ERRORS = new ErrorPages();

    private Responses() {}

    /** Answers with plain text in UTF-8. */
    public static void text(HttpExchange exchange, int status, String text) {
        string(exchange, status, "text/plain;charset=utf-8", text);
    }

    /** Answers with a page in UTF-8. What comes from outside must be escaped in it. */
    public static void html(HttpExchange exchange, int status, String page) {
        string(exchange, status, "text/html;charset=utf-8", page);
    }

    /** Answers with a JSON document. */
    public static void json(HttpExchange exchange, int status, String document) {
        string(exchange, status, "application/json", document);
    }

    /** Answers with these bytes, which must not change any more. */
    public static void bytes(HttpExchange exchange, int status, String contentType, byte[] body) {
        payload(exchange, status, contentType, Payload.of(ByteBuffer.wrap(body)));
    }

    /** Answers without a body. */
    public static void empty(HttpExchange exchange, int status) {
        send(exchange, status, Payload.NOTHING);
    }

    /**
     * Sends the client elsewhere.
     *
     * @param status 301, 302, 303, 307 or 308
     * @param location a URI or a path of this server
     * @throws IllegalArgumentException if the location holds control characters: it would end the header field
     */
    public static void redirect(HttpExchange exchange, int status, String location) {
        if (location.chars().anyMatch(c -> c < ' ' || c == 0x7f)) {
            throw new IllegalArgumentException("The location of a redirect holds control characters");
        }
        exchange.response().headers().set("Location", location);
        empty(exchange, status);
    }

    /** Answers with an error in the form the client prefers: a small page, text or JSON. */
    public static void error(HttpExchange exchange, int status) {
        ErrorResponder own = exchange.attributes().get(ERRORS);
        exchange.response().status(status);
        send(exchange, status, (own == null ? DEFAULT_ERRORS : own).body(exchange, status, null));
    }

    /** Answers a method that is not in the {@code Allow} field: OPTIONS with that field, any other with 405. */
    static void refuseMethod(HttpExchange exchange, String method) {
        if (method.equals("OPTIONS")) {
            empty(exchange, 204);
        } else {
            error(exchange, 405);
        }
    }

    private static void string(HttpExchange exchange, int status, String contentType, String body) {
        bytes(exchange, status, contentType, body.getBytes(StandardCharsets.UTF_8));
    }

    private static void payload(HttpExchange exchange, int status, String contentType, Payload body) {
        Headers headers = exchange.response().headers();
        headers.set("Content-Type", contentType);
        send(exchange, status, body);
    }

    private static void send(HttpExchange exchange, int status, Payload body) {
        boolean bodiless = status == 204 || status == 304;
        exchange.response().status(status).contentLength(bodiless ? -1 : body.remaining());
        exchange.output().write(body, true, Completion.IGNORE);
    }
}

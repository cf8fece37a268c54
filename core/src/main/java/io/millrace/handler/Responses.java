package io.millrace.handler;

import io.millrace.exchange.AttributeKey;
import io.millrace.exchange.ErrorResponder;
import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.NonBlockingHandler;
import io.millrace.http.Headers;
import io.millrace.http.HttpVersion;
import io.millrace.http.Locations;
import io.millrace.http.RequestHead;
import io.millrace.http.RequestedHost;
import io.millrace.io.Completion;
import io.millrace.io.Payload;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Sends complete responses. No method blocks; each must be the last call of a handler on its exchange. Header fields
 * that were set before are kept, except {@code Content-Type}.
 */
public final class Responses {

    /** Writes the bodies of error responses that handlers send; {@link ErrorPages} if it is not set. */
    public static final AttributeKey<ErrorResponder> ERRORS = AttributeKey.of("error responder", ErrorResponder.class);

    static final NonBlockingHandler NOT_FOUND = exchange -> error(exchange, 404);

    /** Set if the locations of redirects are to be absolute; those for HTTP/1.0 always are. */
    public static final AttributeKey<Boolean> ABSOLUTE_LOCATIONS = AttributeKey.of("absolute locations", Boolean.class);

    /** Answers instead of {@link #error}, if it is set. */
    public static final AttributeKey<Refusals> REFUSALS = AttributeKey.of("refusals", Refusals.class);

    private static final ErrorResponder DEFAULT_ERRORS = new ErrorPages();

    private Responses() {}

    /** Responds with plain text in UTF-8. */
    public static void text(HttpExchange exchange, int status, String text) {
        string(exchange, status, "text/plain;charset=utf-8", text);
    }

    /** Responds with HTML in UTF-8. The caller must escape untrusted content. */
    public static void html(HttpExchange exchange, int status, String page) {
        string(exchange, status, "text/html;charset=utf-8", page);
    }

    /** Responds with a JSON document. */
    public static void json(HttpExchange exchange, int status, String document) {
        string(exchange, status, "application/json", document);
    }

    /** Responds with these bytes, which must not be modified any more. */
    public static void bytes(HttpExchange exchange, int status, String contentType, byte[] body) {
        payload(exchange, status, contentType, Payload.of(ByteBuffer.wrap(body)));
    }

    /** Responds without a body. */
    public static void empty(HttpExchange exchange, int status) {
        send(exchange, status, Payload.NOTHING);
    }

    /**
     * Redirects the client. For a client of HTTP/1.0, which knows no other (RFC 1945, 10.11), or with {@link #ABSOLUTE_LOCATIONS},
     * the location is made absolute, with the host that was requested.
     *
     * @param status 301, 302, 303, 307 or 308
     * @param location a URI, or a path on this server
     * @throws IllegalArgumentException if the location contains control characters, which could inject header fields
     */
    public static void redirect(HttpExchange exchange, int status, String location) {
        if (location.chars().anyMatch(c -> c < ' ' || c == 0x7f)) {
            throw new IllegalArgumentException("The location of the redirect contains control characters");
        }
        exchange.response().headers().set("Location", located(exchange, location));
        empty(exchange, status);
    }

    private static String located(HttpExchange exchange, String location) {
        RequestHead head = exchange.request();
        if (head.version() != HttpVersion.HTTP_1_0 && !Boolean.TRUE.equals(exchange.attribute(ABSOLUTE_LOCATIONS))) {
            return location;
        }
        RequestedHost host = RequestedHost.of(head, exchange.channel().info().local());
        return Locations.absolute(location, host.url(head.scheme(), head.path().raw()));
    }

    /** Answers requests that a handler refuses, such as by a page of the application that they are for. */
    @FunctionalInterface
    public interface Refusals {

        /**
         * Answers a request, or has it answered on another thread.
         *
         * @return false if this has no answer, and has done nothing
         */
        boolean answer(HttpExchange exchange, int status);
    }

    /** Responds with an error: by {@link #REFUSALS}, else in the form that the client prefers: HTML, JSON or text. */
    public static void error(HttpExchange exchange, int status) {
        Refusals refusals = exchange.attribute(REFUSALS);
        if (refusals != null) {
            exchange.attributes().put(REFUSALS, null); // an answer that is refused itself is a plain one
            if (refusals.answer(exchange, status)) {
                return;
            }
        }
        ErrorResponder own = exchange.attribute(ERRORS);
        exchange.response().status(status);
        send(exchange, status, (own == null ? DEFAULT_ERRORS : own).body(exchange, status, null));
    }

    /** Responds to a method that is not in the {@code Allow} field: to OPTIONS with that field, to others with 405. */
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

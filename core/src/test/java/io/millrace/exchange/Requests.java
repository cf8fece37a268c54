package io.millrace.exchange;

import io.millrace.http.Headers;
import io.millrace.http.HttpVersion;
import io.millrace.http.RequestHead;
import io.millrace.http.RequestPath;
import io.millrace.io.Payload;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Requests and bodies for tests. */
final class Requests {

    private Requests() {}

    static RequestHead get() {
        return of("GET");
    }

    static RequestHead of(String method) {
        RequestPath path = new RequestPath("/there", "/there", null);
        return new RequestHead(method, "/there", path, null, HttpVersion.HTTP_1_1, "http", "host", new Headers(), -1);
    }

    /** The handler, which keeps the errors of its assertions; the exchange would respond with 500. */
    static HttpHandler asserting(HttpHandler handler, List<AssertionError> kept) {
        return exchange -> {
            try {
                handler.handle(exchange);
            } catch (AssertionError failed) {
                kept.add(failed);
                throw failed;
            }
        };
    }

    static Payload text(String text) {
        return Payload.of(ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1)));
    }
}

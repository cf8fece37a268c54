package io.millrace.servlet.request;

import io.millrace.exchange.HttpExchange;
import io.millrace.http.Headers;
import io.millrace.http.HttpVersion;
import io.millrace.http.ResponseHead;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A response's trailer fields, which the application supplies when the body is complete (Servlet 4.0, 5.3). */
final class ResponseTrailers {

    private final HttpExchange exchange;
    private @Nullable Supplier<Map<String, String>> supplier;

    ResponseTrailers(HttpExchange exchange) {
        this.exchange = exchange;
    }

    @Nullable
    Supplier<Map<String, String>> supplier() {
        return supplier;
    }

    /** Sets the supplier, which is called when the body is complete. */
    void supplier(Supplier<Map<String, String>> given) {
        ResponseHead head = exchange.response();
        if (exchange.output().isCommitted()) {
            throw new IllegalStateException("setTrailerFields() was called too late: the response is committed");
        }
        if (exchange.request().version() == HttpVersion.HTTP_1_0 || head.contentLength() >= 0) {
            throw new IllegalStateException(
                    "a response has trailer fields only if it is chunked: not in HTTP/1.0, and not"
                            + " with a Content-Length");
        }
        supplier = Objects.requireNonNull(given);
        head.trailers(new Headers());
    }

    /** Removes the supplier; called when the response is reset. */
    void forget() {
        supplier = null;
        exchange.response().trailers(null);
    }

    /** Calls the supplier; the body is complete. */
    void supply() {
        Supplier<Map<String, String>> mine = supplier;
        Headers fields = exchange.response().trailers();
        if (mine == null || fields == null) {
            return;
        }
        fields.clear(); // an error page may complete the body again
        Map<String, String> supplied = mine.get();
        if (supplied != null) {
            supplied.forEach((name, value) -> {
                if (name != null && value != null) {
                    fields.add(name, value);
                }
            });
        }
    }
}

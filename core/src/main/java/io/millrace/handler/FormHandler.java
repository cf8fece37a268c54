package io.millrace.handler;

import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.NonBlockingHandler;
import io.millrace.http.Method;
import io.millrace.http.UrlEncoded;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Receives forms: with any method but GET and HEAD the parameters of a body of type {@code application/x-www-form-urlencoded}, and
 * after them those of the query, both in UTF-8: a link cannot replace what a form sends. A body of another type gets a 415 response,
 * a larger one 413, more parameters, and one without a name or with a malformed percent-escape, 400. For forms with files ({@code multipart/form-data}) use a servlet. Immutable.
 */
public final class FormHandler implements NonBlockingHandler {

    /** The largest body, unless another limit is given: 2 MiB. */
    public static final int MAX_BYTES = 2 << 20;

    /** The most parameters, unless another limit is given. */
    public static final int MAX_PARAMETERS = 1000;

    private static final String TYPE = "application/x-www-form-urlencoded";

    private final Use use;
    private final int maxBytes;
    private final int maxParameters;
    private final HttpHandler receiving;

    /** Handles a form. May block. */
    @FunctionalInterface
    public interface Use {

        /**
         * Handles it.
         *
         * @throws Exception any exception, with the same effect as that of a handler
         */
        void handle(HttpExchange exchange, Form form) throws Exception;
    }

    /** The parameters of a form, in the order in which they were sent, those of the body first. Immutable. */
    public static final class Form {

        private final Map<String, List<String>> values;

        private Form(Map<String, List<String>> values) {
            this.values = values;
        }

        /** The first value of a parameter; null if there is none. */
        public @Nullable String get(String name) {
            List<String> found = values.get(name);
            return found == null ? null : found.get(0);
        }

        /** All values of a parameter; empty if there is none. */
        public List<String> all(String name) {
            return Collections.unmodifiableList(values.getOrDefault(name, List.of()));
        }

        /** All names. */
        public List<String> names() {
            return List.copyOf(values.keySet());
        }
    }

    private FormHandler(Use use, int maxBytes, int maxParameters) {
        if (maxParameters < 1) {
            throw new IllegalArgumentException("the limit is " + maxParameters + " parameters; expected at least 1");
        }
        this.use = use;
        this.maxBytes = maxBytes;
        this.maxParameters = maxParameters;
        receiving = RequestBody.upTo(maxBytes, this::received);
    }

    /**
     * A handler with the usual limits.
     *
     * @param use called on a worker
     */
    public static FormHandler of(Use use) {
        return new FormHandler(use, MAX_BYTES, MAX_PARAMETERS);
    }

    /** The same with another limit of the body, in bytes. */
    public FormHandler maxBytes(int limit) {
        return new FormHandler(use, limit, maxParameters);
    }

    /** The same with another limit of the number of parameters. */
    public FormHandler maxParameters(int limit) {
        return new FormHandler(use, maxBytes, limit);
    }

    @Override
    public void handle(HttpExchange exchange) throws Exception {
        String method = exchange.request().method();
        if (method.equals(Method.GET) || method.equals(Method.HEAD)) {
            exchange.dispatch(onWorker -> received(onWorker, new byte[0]));
        } else if (RequestBody.mediaType(exchange).equals(TYPE)
                || exchange.request().contentLength() == 0) {
            receiving.handle(exchange);
        } else {
            Responses.error(exchange, 415);
        }
    }

    private void received(HttpExchange exchange, byte[] body) throws Exception {
        Map<String, List<String>> values = new LinkedHashMap<>();
        int[] count = {0};
        String query = exchange.request().query();
        boolean wellFormed = add(new String(body, StandardCharsets.ISO_8859_1), values, count)
                && add(query == null ? "" : query, values, count);
        if (!wellFormed || count[0] > maxParameters) {
            Responses.error(exchange, 400);
        } else {
            use.handle(exchange, new Form(values));
        }
    }

    private boolean add(String text, Map<String, List<String>> values, int[] count) {
        return new UrlEncoded(text, StandardCharsets.UTF_8).forEach((name, value) -> {
            if (++count[0] <= maxParameters) {
                values.computeIfAbsent(name, unknown -> new ArrayList<>(1)).add(value);
            }
        });
    }
}

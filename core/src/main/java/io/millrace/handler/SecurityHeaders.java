package io.millrace.handler;

import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.NonBlockingHandler;
import io.millrace.http.FieldSyntax;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

/**
 * Header fields that make browsers protect users. They are set before the next handler is called, so that it may set another value
 * or remove the field. {@code Strict-Transport-Security} is sent over https only (RFC 6797, 7.2). Immutable; the methods return
 * changed copies.
 */
public final class SecurityHeaders {

    /** The field that is sent over https only. */
    public static final String TRANSPORT = "Strict-Transport-Security";

    /** No fields. */
    public static final SecurityHeaders NONE = new SecurityHeaders(new TreeMap<>(String.CASE_INSENSITIVE_ORDER));

    /**
     * What is right for nearly every site: no guessing of content types, no framing by other sites, no paths in the referrers
     * that other sites get, and a year of https for who came over https.
     */
    public static final SecurityHeaders DEFAULTS = NONE.with("X-Content-Type-Options", "nosniff")
            .with("X-Frame-Options", "SAMEORIGIN")
            .with("Referrer-Policy", "strict-origin-when-cross-origin")
            .with(TRANSPORT, "max-age=31536000");

    private final Map<String, String> fields;
    private final String[] always;
    private final String transport;

    private SecurityHeaders(Map<String, String> fields) {
        this.fields = fields;
        transport = fields.getOrDefault(TRANSPORT, "");
        always = fields.entrySet().stream()
                .filter(field -> !field.getKey().equalsIgnoreCase(TRANSPORT))
                .flatMap(field -> Stream.of(field.getKey(), field.getValue()))
                .toArray(String[]::new);
    }

    /**
     * The same with another value of a field, such as {@code Content-Security-Policy}.
     *
     * @throws IllegalArgumentException if the name or the value cannot be sent
     */
    public SecurityHeaders with(String name, String value) {
        if (!FieldSyntax.isToken(name)) {
            throw new IllegalArgumentException("\"" + name + "\" is not the name of a header field");
        }
        if (value.isBlank() || !FieldSyntax.isValue(value)) {
            throw new IllegalArgumentException(
                    "the value of " + name + " is \"" + value + "\"; expected a text without control characters");
        }
        Map<String, String> changed = copy();
        changed.put(name, value);
        return new SecurityHeaders(changed);
    }

    /** The same without a field. */
    public SecurityHeaders without(String name) {
        Map<String, String> changed = copy();
        changed.remove(name);
        return new SecurityHeaders(changed);
    }

    private Map<String, String> copy() {
        Map<String, String> copy = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        copy.putAll(fields);
        return copy;
    }

    /**
     * Sets the fields of one response.
     *
     * @param secure whether the client's connection is secure
     * @param set sets a field
     */
    public void apply(boolean secure, BiConsumer<String, String> set) {
        for (int i = 0; i < always.length; i += 2) {
            set.accept(always[i], always[i + 1]);
        }
        if (secure && !transport.isEmpty()) {
            set.accept(TRANSPORT, transport);
        }
    }

    /** A handler that sets the fields and passes requests to another one. */
    public HttpHandler wrap(HttpHandler next) {
        return (NonBlockingHandler) exchange -> {
            boolean secure = exchange.request().scheme().equals("https");
            apply(secure, exchange.response().headers()::set);
            Route.follow(exchange, next);
        };
    }
}

package io.millrace.exchange;

import io.millrace.http.FieldSyntax;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The request fields that this server has set or removed in place of the client. What the client sends under these names later, in a
 * trailer, is not passed on: a backend may merge trailers into the head. Names are compared without case in their {@linkplain FieldSyntax#plain
 * plain form}. Thread-safe.
 */
public final class OwnFields {

    private static final AttributeKey<OwnFields> KEY = AttributeKey.of("own fields", OwnFields.class);

    private final Set<String> names = ConcurrentHashMap.newKeySet();

    private OwnFields() {}

    /** Records that the server decides on a field of a request. */
    public static void add(HttpExchange exchange, String name) {
        OwnFields known = exchange.attribute(KEY);
        if (known == null) {
            known = new OwnFields();
            exchange.attributes().put(KEY, known);
        }
        known.names.add(plain(name));
    }

    /** Whether it does. */
    public static boolean contain(HttpExchange exchange, String name) {
        OwnFields known = exchange.attribute(KEY);
        return known != null && known.names.contains(plain(name));
    }

    private static String plain(String name) {
        return FieldSyntax.plain(name).toLowerCase(Locale.ROOT);
    }
}

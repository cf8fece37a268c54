package io.millrace.handler;

import io.millrace.exchange.AttributeKey;
import io.millrace.exchange.HttpExchange;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Values of a request that access logs need and only its application knows. A log adds this to the exchange if its
 * pattern or its conditions need it; the application fills in the values at the end of the request. Used by the owner of
 * the exchange; afterwards read by any thread.
 */
public final class AccessNotes {

    /** Set on the exchange if an access log needs values. */
    public static final AttributeKey<AccessNotes> KEY = AttributeKey.of("access notes", AccessNotes.class);

    /** The source of a value. */
    public enum Source {
        /** An attribute of the request. */
        REQUEST,
        /** An attribute of the request's session. */
        SESSION,
        /** An attribute of the application. */
        APPLICATION,
        /** A parameter of the request. */
        PARAMETER,
        /** The result of a getter of the request: {@code authType} for {@code getAuthType}. */
        PROPERTY
    }

    /** A value that is needed. */
    public record Wanted(Source source, String name) {}

    private final Set<Wanted> wanted = new HashSet<>();
    private volatile Map<Wanted, String> values = Map.of();

    private AccessNotes() {}

    /** Adds values that the logs of an exchange need. */
    static void want(HttpExchange exchange, Set<Wanted> more) {
        if (more.isEmpty()) {
            return;
        }
        AccessNotes notes = exchange.attribute(KEY);
        if (notes == null) {
            notes = new AccessNotes();
            exchange.attributes().put(KEY, notes);
        }
        notes.wanted.addAll(more);
    }

    /**
     * Records the values as texts; omits those that cannot be determined.
     *
     * @param application returns the values; null for an unknown one
     */
    public void take(Function<Wanted, @Nullable Object> application) {
        Map<Wanted, String> found = new HashMap<>();
        for (Wanted one : wanted) {
            try {
                Object value = application.apply(one);
                if (value != null) {
                    found.put(one, String.valueOf(value));
                }
            } catch (RuntimeException | LinkageError | StackOverflowError e) {
                // thrown by the application's toString, or for a malformed form: logging must not fail the request
            }
        }
        values = found;
    }

    /** The value; null if there is none, or if the application has not run. */
    @Nullable
    String value(Wanted one) {
        return values.get(one);
    }
}

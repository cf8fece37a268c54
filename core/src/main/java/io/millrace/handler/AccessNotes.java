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
 * What access logs want to know of a request that only its application can say. A log leaves them on the exchange, if its pattern
 * or its conditions need them; the application fills them in when it is done with the request. For the owner of the exchange;
 * afterwards read by any thread.
 */
public final class AccessNotes {

    /** On the exchange, if an access log wants to know something. */
    public static final AttributeKey<AccessNotes> KEY = AttributeKey.of("access notes", AccessNotes.class);

    /** Where a value comes from. */
    public enum Source {
        /** An attribute of the request. */
        REQUEST,
        /** An attribute of the session that the request belongs to. */
        SESSION,
        /** An attribute of the application. */
        APPLICATION,
        /** A parameter of the request. */
        PARAMETER,
        /** What a method of the request without parameters returns: {@code authType} for {@code getAuthType}. */
        PROPERTY
    }

    /** One of the values. */
    public record Wanted(Source source, String name) {}

    private final Set<Wanted> wanted = new HashSet<>();
    private volatile Map<Wanted, String> values = Map.of();

    private AccessNotes() {}

    /** Adds to what the logs of an exchange want to know. */
    static void want(HttpExchange exchange, Set<Wanted> more) {
        if (more.isEmpty()) {
            return;
        }
        AccessNotes notes = exchange.attributes().get(KEY);
        if (notes == null) {
            notes = new AccessNotes();
            exchange.attributes().put(KEY, notes);
        }
        notes.wanted.addAll(more);
    }

    /**
     * Takes the values down, as texts. One that cannot be found out is left out.
     *
     * @param application knows them; null for one that there is not
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
                // the application's own toString, or a form that cannot be read: a log must not fail the request
            }
        }
        values = found;
    }

    /** The value; null if the application has not got it, or has not run. */
    @Nullable
    String value(Wanted one) {
        return values.get(one);
    }
}

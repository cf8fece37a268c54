package io.millrace.servlet.deploy.xml;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Compares and merges values of two sources; null if not declared. */
final class Overlay {

    private Overlay() {}

    static <T> @Nullable T first(@Nullable T stronger, @Nullable T weaker) {
        return stronger != null ? stronger : weaker;
    }

    /** Whether both are declared and differ. */
    static boolean differ(@Nullable Object one, @Nullable Object other) {
        return one != null && other != null && !one.equals(other);
    }

    /** A key that both have, with different values; null if there is none. */
    static @Nullable String conflictingKey(Map<String, String> one, Map<String, String> other) {
        for (Map.Entry<String, String> entry : one.entrySet()) {
            if (differ(entry.getValue(), other.get(entry.getKey()))) {
                return entry.getKey();
            }
        }
        return null;
    }
}

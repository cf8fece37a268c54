package io.millrace.exchange;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Values by typed key. Few and flat. */
public final class Attributes {

    private static final @Nullable Object[] NO_ENTRIES = {};

    private final @Nullable Attributes given;
    private @Nullable Object[] entries = NO_ENTRIES;
    private int length;

    /** None yet. */
    public Attributes() {
        this(null);
    }

    /** None of its own; what it has not, these have. They are not changed any more. */
    Attributes(@Nullable Attributes given) {
        this.given = given;
    }

    /** The value, or null. */
    public <T> @Nullable T get(AttributeKey<T> key) {
        int at = find(key);
        if (at < 0) {
            return given == null ? null : given.get(key);
        }
        Object value = entries[at + 1];
        return value == null ? null : key.cast(value);
    }

    /** Sets the value; null removes it. */
    public <T> void put(AttributeKey<T> key, @Nullable T value) {
        int at = find(key);
        if (at < 0) {
            at = length;
            length += 2;
            if (length > entries.length) {
                entries = Arrays.copyOf(entries, Math.max(8, 2 * entries.length));
            }
            entries[at] = key;
        }
        entries[at + 1] = value;
    }

    private int find(AttributeKey<?> key) {
        for (int i = 0; i < length; i += 2) {
            if (key.equals(entries[i])) {
                return i;
            }
        }
        return -1;
    }
}

package io.millrace.exchange;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The attributes of an exchange, by typed key. Not thread-safe: confined to the owner of the exchange. */
public final class Attributes {

    private static final @Nullable Object[] NO_ENTRIES = {};

    private final @Nullable Attributes given;
    private @Nullable Object[] entries = NO_ENTRIES;
    private int length;

    /** No attributes. */
    public Attributes() {
        this(null);
    }

    /** Attributes that fall back to others, which must not be modified any more. */
    Attributes(@Nullable Attributes given) {
        this.given = given;
    }

    /** The attribute's value; null if it is not set. */
    public <T> @Nullable T get(AttributeKey<T> key) {
        int at = find(key);
        if (at < 0) {
            return given == null ? null : given.get(key);
        }
        Object value = entries[at + 1];
        return value == null ? null : key.cast(value);
    }

    /** Sets an attribute. Null removes it; a value that the connector has given to all its exchanges is hidden then. */
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

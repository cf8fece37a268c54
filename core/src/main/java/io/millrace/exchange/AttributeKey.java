package io.millrace.exchange;

/** The key of a typed attribute of an exchange. Keys are compared by identity: keep each in a constant. */
public final class AttributeKey<T> {

    private final String name;
    private final Class<T> type;

    private AttributeKey(String name, Class<T> type) {
        this.name = name;
        this.type = type;
    }

    /** Creates a key. The name is for debugging only; two keys of the same name are different. */
    public static <T> AttributeKey<T> of(String name, Class<T> type) {
        return new AttributeKey<>(name, type);
    }

    T cast(Object value) {
        return type.cast(value);
    }

    @Override
    public String toString() {
        return name;
    }
}

package io.millrace.servlet.session;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A serialized session attribute, and its value after the first access to it. Thread-safe. */
final class SerializedAttribute {

    private final byte[] bytes;
    private volatile @Nullable Object value;
    private final AtomicBoolean used;
    private volatile boolean failed;
    private volatile @Nullable String missingClass;

    SerializedAttribute(byte[] bytes) {
        this.bytes = bytes;
        used = new AtomicBoolean();
    }

    /** An attribute that was serialized from this value. */
    SerializedAttribute(byte[] bytes, Object value) {
        this.bytes = bytes;
        this.value = value;
        used = new AtomicBoolean(!isConstant(value)); // by those who got it meanwhile
    }

    /** Whether what is serialized of the value never changes. */
    private static boolean isConstant(Object value) {
        return value instanceof String
                || value instanceof Integer
                || value instanceof Long
                || value instanceof Boolean
                || value instanceof Double
                || value instanceof Float
                || value instanceof Character
                || value instanceof Short
                || value instanceof Byte
                || value instanceof Enum<?>;
    }

    byte[] bytes() {
        return bytes;
    }

    /** The deserialized value; null until the first access. */
    @Nullable
    Object known() {
        return value;
    }

    /** Records that someone may change the value, if it can change. */
    void use() {
        Object known = value;
        if (known != null && !used.get() && !isConstant(known)) {
            used.set(true);
        }
    }

    boolean isUsed() {
        return used.get();
    }

    /** Whether someone may have changed the value since the last call. */
    boolean takeUsed() {
        return used.getAndSet(false);
    }

    /** The class that the application does not have, so that the value could not be deserialized; null if that is not the reason. */
    @Nullable
    String missingClass() {
        return missingClass;
    }

    /**
     * Returns the value, the same object for all callers; null if it cannot be deserialized, which is logged once. No lock is
     * held meanwhile, because code of the application runs.
     *
     * @param thawed called with the value when it has been deserialized
     */
    @Nullable
    Object thaw(SessionCodec codec, String name, Consumer<Object> thawed) {
        Object already = value;
        if (already != null || failed) {
            use();
            return already;
        }
        try {
            Object made = codec.thaw(bytes);
            boolean first = isFirst(made);
            use();
            if (first) {
                thawed.accept(made);
            }
        } catch (IOException | ClassNotFoundException | RuntimeException | LinkageError | StackOverflowError e) {
            failed = true;
            missingClass =
                    e instanceof ClassNotFoundException || e instanceof NoClassDefFoundError ? e.getMessage() : null;
            codec.notRestored(name, e);
        }
        return value;
    }

    private synchronized boolean isFirst(Object made) {
        boolean first = value == null;
        if (first) {
            value = made;
        }
        return first;
    }
}

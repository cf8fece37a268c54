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
        used = new AtomicBoolean(true); // by those who got it meanwhile
    }

    byte[] bytes() {
        return bytes;
    }

    /** The deserialized value; null until the first access. */
    @Nullable
    Object known() {
        return value;
    }

    /** Records that someone may change the value. */
    void use() {
        used.set(true);
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
        if (!used.get()) {
            use();
        }
        if (already != null || failed) {
            return already;
        }
        try {
            Object made = codec.thaw(bytes);
            if (isFirst(made)) {
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

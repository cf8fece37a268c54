package io.millrace.servlet.session;

import java.io.IOException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A serialized session attribute, and its value after the first access to it. Thread-safe. */
final class SerializedAttribute {

    private final byte[] bytes;
    private volatile @Nullable Object value;
    private volatile boolean failed;
    private volatile @Nullable String missingClass;

    SerializedAttribute(byte[] bytes) {
        this.bytes = bytes;
    }

    /** An attribute that was serialized from this value. */
    SerializedAttribute(byte[] bytes, Object value) {
        this.bytes = bytes;
        this.value = value;
    }

    byte[] bytes() {
        return bytes;
    }

    /** The deserialized value; null until the first access. */
    @Nullable
    Object known() {
        return value;
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

package io.millrace.servlet.session;

import java.io.IOException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A session attribute in the serialized form of a store, and its value once it was asked for. Any thread. */
final class SerializedAttribute {

    private final byte[] bytes;
    private volatile @Nullable Object value;
    private volatile boolean spoilt;

    SerializedAttribute(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Stored just now. */
    SerializedAttribute(byte[] bytes, Object value) {
        this.bytes = bytes;
        this.value = value;
    }

    byte[] bytes() {
        return bytes;
    }

    /** Null until it is first asked for. */
    @Nullable
    Object known() {
        return value;
    }

    /**
     * The value, the same for everybody; null if it can't be deserialized, which is said once. No lock is held meanwhile: it
     * is the application's code that runs.
     *
     * @param thawed called with a value that has just been deserialized
     */
    @Nullable
    Object thaw(SessionCodec codec, String name, Consumer<Object> thawed) {
        Object already = value;
        if (already != null || spoilt) {
            return already;
        }
        try {
            Object made = codec.thaw(bytes);
            if (isFirst(made)) {
                thawed.accept(made);
            }
        } catch (IOException | ClassNotFoundException | RuntimeException | LinkageError | StackOverflowError e) {
            spoilt = true;
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

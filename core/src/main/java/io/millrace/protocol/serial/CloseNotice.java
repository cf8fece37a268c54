package io.millrace.protocol.serial;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Tells an exchange that waits for something else that its connection has closed, whichever of the two comes first. */
final class CloseNotice {

    // guarded by this
    private @Nullable Consumer<@Nullable Throwable> listener;
    private boolean closed;
    private @Nullable Throwable cause;

    /** Replaces the last listener. Tells this one at once if the connection has closed: then false. */
    boolean register(Consumer<@Nullable Throwable> next) {
        Throwable why;
        synchronized (this) {
            if (!closed) {
                listener = next;
                return true;
            }
            why = cause;
        }
        next.accept(why);
        return false;
    }

    /** The connection has closed. Once. */
    void closed(@Nullable Throwable why) {
        Consumer<@Nullable Throwable> notified;
        synchronized (this) {
            closed = true;
            cause = why;
            notified = listener;
            listener = null;
        }
        if (notified != null) {
            notified.accept(why);
        }
    }
}

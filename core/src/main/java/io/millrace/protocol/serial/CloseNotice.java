package io.millrace.protocol.serial;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Notifies an exchange that waits for something other than its connection when the connection is closed, whichever comes
 * first.
 */
final class CloseNotice {

    // guarded by this
    private @Nullable Consumer<@Nullable Throwable> listener;
    private boolean closed;
    private @Nullable Throwable cause;

    /** Replaces the previous listener. If the connection is already closed, calls this one immediately and returns false. */
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

    /** Called once when the connection is closed. */
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

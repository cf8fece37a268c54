package io.millrace.io.socket;

import io.millrace.io.AtomicField;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Counts the users of something that will be closed: operations in progress, calls of handlers and completions, native
 * calls. It ends when it has been closed and the last user has left, so that nothing is freed while it is in use.
 * Thread-safe.
 *
 * <pre>
 * count      enter    leave                    close
 * n &gt;= 0  n + 1    n - 1                    CLOSED + n + 1: the closer counts as a user, and leaves
 * n &lt; 0   refused  n - 1; CLOSED: the last  -
 * </pre>
 */
public final class UseCount {

    /** Added by closing; this value remains when no user is left. */
    private static final int CLOSED = Integer.MIN_VALUE;

    private static final VarHandle COUNT = AtomicField.of(MethodHandles.lookup(), "count", int.class);

    private volatile int count;

    /** Open, without users. */
    public UseCount() {}

    /** Adds a user. False, without adding it, once closed. */
    public boolean enter() {
        int before = count;
        while (before >= 0) {
            if (COUNT.compareAndSet(this, before, before + 1)) {
                return true;
            }
            before = count;
        }
        return false;
    }

    /** Removes a user. True once, for the last user to leave after closing: it must release the resource. */
    public boolean leave() {
        return (int) COUNT.getAndAdd(this, -1) == CLOSED + 1;
    }

    /** Admits no more users. True once: the caller then counts as a user until it leaves. */
    public boolean close() {
        int before = count;
        while (before >= 0) {
            if (COUNT.compareAndSet(this, before, before + CLOSED + 1)) {
                return true;
            }
            before = count;
        }
        return false;
    }
}

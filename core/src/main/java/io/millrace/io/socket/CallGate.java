package io.millrace.io.socket;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Who is busy with something that will be closed: operations under way, calls of handlers and completions, calls of native
 * functions. Its end comes when it is closed and the last has left; so it comes after all of them, and nothing is taken from
 * somebody who still uses it.
 *
 * <pre>
 * count        enter       leave                        close
 * n &gt;= 0       n + 1       n - 1                        CLOSED + n + 1: the closer is inside, and leaves
 * n &lt; 0        refused     n - 1; CLOSED: the last      -
 * </pre>
 */
public final class CallGate {

    /** What is added by closing; with nobody inside this is what remains. */
    private static final int CLOSED = Integer.MIN_VALUE;

    private static final VarHandle COUNT;

    static {
        try {
            COUNT = MethodHandles.lookup().findVarHandle(CallGate.class, "count", int.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private volatile int count;

    /** Open, with nobody inside. */
    public CallGate() {}

    /** One more is inside. False, and it is not, once closed. */
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

    /** True once, for the last one to leave after the close: it tells the end. */
    public boolean leave() {
        return (int) COUNT.getAndAdd(this, -1) == CLOSED + 1;
    }

    /** Lets nobody in any more. True once: whoever closed it is inside until it leaves. */
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

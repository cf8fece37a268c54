package io.millrace.connector.nio2;

import io.millrace.io.AtomicField;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** A thread that polls for a channel group and calls the handlers of its connections. */
final class CompletionThread extends Thread {

    private static final VarHandle STEPS = AtomicField.of(MethodHandles.lookup(), "steps", int.class);

    /** Odd while the thread runs a connection. Written by this thread only; others may read a slightly older value. */
    private int steps;

    /** The steps at the last check. Confined to the checking thread. */
    private int seen;

    CompletionThread(Runnable loop, String name) {
        super(loop, name);
    }

    static boolean isCurrent() {
        return Thread.currentThread() instanceof CompletionThread;
    }

    /** Records that the current thread begins or ends to run a connection. */
    static void step() {
        if (Thread.currentThread() instanceof CompletionThread self) {
            STEPS.setOpaque(self, self.steps + 1);
        }
    }

    /** Whether the thread has run the same connection since the last check. Not thread-safe. */
    boolean isStuck() {
        int now = (int) STEPS.getOpaque(this);
        boolean stuck = now == seen && (now & 1) != 0;
        seen = now;
        return stuck;
    }
}

package io.millrace.connector.nio2;

import io.millrace.io.AtomicField;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** A thread that polls for a channel group and runs what its connections do. */
final class IoThread extends Thread {

    private static final VarHandle STEPS = AtomicField.of(MethodHandles.lookup(), "steps", int.class);

    /** Odd while a connection has this thread. Written by this thread alone, and read by others a little later. */
    private int steps;

    /** The watcher's own: the steps at its last look. */
    private int seen;

    IoThread(Runnable pollingAndMore, String name) {
        super(pollingAndMore, name);
    }

    /** Is the caller one? */
    static boolean isCurrent() {
        return Thread.currentThread() instanceof IoThread;
    }

    /** A connection's turn on the current thread begins or ends. */
    static void step() {
        if (Thread.currentThread() instanceof IoThread self) {
            STEPS.setOpaque(self, self.steps + 1);
        }
    }

    /** Has one turn lasted since the last look? For one caller at a time. */
    boolean isStuck() {
        int now = (int) STEPS.getOpaque(this);
        boolean stuck = now == seen && (now & 1) != 0;
        seen = now;
        return stuck;
    }
}

package io.millrace.connector.nio2;

import io.millrace.io.AtomicField;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A thread's loop over a connection's input: while there is input the thread loops instead of calling the handler
 * recursively. The number of reads is limited, because other connections wait for the thread.
 *
 * <p>A handler may hand the connection to another thread, whose loop may begin while the first is still returning. Hence
 * the field with the looping thread, which is cleared by compare-and-set.
 */
final class ReadLoop {

    /** 64 reads of 16 KiB. */
    static final int READS = 64;

    /** The limit on the accept thread: most requests need no more. */
    static final int ONE_READ = 1;

    private static final VarHandle RUNNER = AtomicField.of(MethodHandles.lookup(), "runner", Thread.class);

    @SuppressWarnings("UnusedVariable") // by its handle
    private @Nullable Thread runner;

    /** Reads left. Confined to the runner, as is {@link #repeat}. */
    private int reads;

    private boolean repeat;

    void begin(int maxReads) {
        reads = maxReads;
        repeat = false;
        RUNNER.setOpaque(this, Thread.currentThread());
    }

    @SuppressWarnings("ReferenceEquality") // threads are compared by identity
    boolean isRunner() {
        Thread current = (Thread) RUNNER.getOpaque(this);
        return current == Thread.currentThread();
    }

    /** Whether the caller may read without starving other connections. Counts the read, if the caller is the runner. */
    boolean mayRead() {
        return !isRunner() || reads-- > 0;
    }

    /** Makes the runner call the handler once more. False if the caller is not the runner, or no reads are left. */
    boolean repeat() {
        if (!isRunner() || reads <= 0) {
            return false;
        }
        repeat = true;
        return true;
    }

    /** Called after each call of the handler: true if the runner calls it once more. Otherwise the loop ends. */
    boolean isRepeated() {
        if (isRunner() && repeat) {
            repeat = false;
            return true;
        }
        RUNNER.compareAndSet(this, Thread.currentThread(), null);
        return false;
    }
}

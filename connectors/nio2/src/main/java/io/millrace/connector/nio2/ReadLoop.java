package io.millrace.connector.nio2;

import io.millrace.io.AtomicField;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A thread's loop over a connection's input: as long as input is there the thread loops instead of calling the handler
 * recursively, but only so many times, because other connections wait for the thread.
 *
 * <p>The connection may go to another thread within a call, and that one's turn may begin while the first is still
 * returning. Hence the field that says whose the turn is, and its one compare-and-set.
 */
final class ReadLoop {

    /** 64 reads of 16 KiB. */
    static final int READS = 64;

    /** On the acceptor's thread: most requests need no more. */
    static final int ONE_READ = 1;

    private static final VarHandle RUNNER = AtomicField.of(MethodHandles.lookup(), "runner", Thread.class);

    @SuppressWarnings("UnusedVariable") // by its handle
    private @Nullable Thread runner;

    /** The rest by the runner only. */
    private int reads;

    private boolean wanted;

    void begin(int mostReads) {
        reads = mostReads;
        wanted = false;
        RUNNER.setOpaque(this, Thread.currentThread());
    }

    @SuppressWarnings("ReferenceEquality") // this very thread
    boolean isMine() {
        Thread current = (Thread) RUNNER.getOpaque(this);
        return current == Thread.currentThread();
    }

    /** May the caller read, as far as others go? One read less from now on, if it is in its turn. */
    boolean mayRead() {
        return !isMine() || reads-- > 0;
    }

    /** The owner waits for what is there already: it goes round once more. False if it may not, or is not in its turn. */
    boolean goOn() {
        if (!isMine() || reads <= 0) {
            return false;
        }
        wanted = true;
        return true;
    }

    /** After each call: true if the runner goes round once more. Otherwise its turn is over. */
    boolean isWanted() {
        if (isMine() && wanted) {
            wanted = false;
            return true;
        }
        RUNNER.compareAndSet(this, Thread.currentThread(), null);
        return false;
    }
}

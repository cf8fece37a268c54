package io.millrace.io;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Runs the completions of one sequence of operations, such as a connection's writes, without recursion. A completion that
 * starts the next operation, which ends at once, would run the next completion inside itself, and a million of them would
 * overflow the stack; here the next one runs after it.
 *
 * <p>The sequence may move to another thread inside a completion, which then loops for itself while the first is still
 * returning. Hence the field that says whose the loop is, and its one compare-and-set.
 */
public final class CompletionLoop {

    private static final VarHandle RUNNER = AtomicField.of(MethodHandles.lookup(), "runner", Thread.class);
    private static final VarHandle NEXT = AtomicField.of(MethodHandles.lookup(), "next", Completion.class);

    @SuppressWarnings("UnusedVariable") // by its handle
    private @Nullable Thread runner;

    @SuppressWarnings("UnusedVariable") // by its handle
    private @Nullable Completion next;

    private @Nullable Throwable nextFailure;

    /**
     * Runs a completion: now, or after the one that this thread is running. By the thread that owns the sequence.
     *
     * @throws RuntimeException the first that a completion threw, after all have run
     */
    public void run(Completion completion, @Nullable Throwable failure) {
        Thread me = Thread.currentThread();
        if (isRunBy(me)) {
            nextFailure = failure;
            NEXT.setRelease(this, completion);
            return;
        }
        RUNNER.setOpaque(this, me);
        Completion current = completion;
        Throwable itsFailure = failure;
        Throwable thrown = null;
        while (current != null) {
            try {
                current.done(itsFailure);
            } catch (Throwable bad) {
                thrown =
                        thrown == null ? bad : thrown; // the others run all the same: each completion runs exactly once
            }
            current = following(me);
            if (current != null) {
                itsFailure = nextFailure;
                next = null;
            }
        }
        if (thrown != null) {
            throw CompletionLoop.<RuntimeException>undeclared(thrown);
        }
    }

    /** Null, and the loop is over, if nothing was left here by this thread. */
    private @Nullable Completion following(Thread me) {
        // next before runner: what another thread left here comes after that thread's taking over
        Completion following = (Completion) NEXT.getAcquire(this);
        if (following != null && isRunBy(me)) {
            return following;
        }
        RUNNER.compareAndSet(this, me, null);
        return null;
    }

    @SuppressWarnings("ReferenceEquality") // this very thread
    private boolean isRunBy(Thread thread) {
        Thread current = (Thread) RUNNER.getOpaque(this);
        return current == thread;
    }

    /** A checked exception, of code in another language, is passed on as it is. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // the cast is not made at run time
    private static <T extends Throwable> T undeclared(Throwable thrown) throws T {
        throw (T) thrown;
    }
}

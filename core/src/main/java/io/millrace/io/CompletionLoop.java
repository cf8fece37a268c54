package io.millrace.io;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Runs the completions of a sequence of operations, such as the writes of a connection, without recursion. A completion
 * that starts the next operation, which may end immediately, would otherwise run the next completion inside itself, and
 * a long chain would overflow the stack; here the next completion runs after it has returned.
 *
 * <p>Inside a completion, the sequence may move to another thread, which then runs a loop of its own while the first
 * thread is still returning. A field therefore records which thread runs the loop.
 */
public final class CompletionLoop {

    private static final VarHandle RUNNER = AtomicField.of(MethodHandles.lookup(), "runner", Thread.class);
    private static final VarHandle NEXT = AtomicField.of(MethodHandles.lookup(), "next", Completion.class);

    @SuppressWarnings("UnusedVariable") // accessed by its handle
    private @Nullable Thread runner;

    @SuppressWarnings("UnusedVariable") // accessed by its handle
    private @Nullable Completion next;

    private @Nullable Throwable nextFailure;

    /**
     * Runs a completion: immediately, or, if this thread is running another one, after that. Called by the thread that
     * owns the sequence. If completions throw, the first exception or error is rethrown after all have run.
     */
    public void run(Completion completion, @Nullable Throwable failure) {
        Thread thread = Thread.currentThread();
        if (isRunBy(thread)) {
            nextFailure = failure;
            NEXT.setRelease(this, completion);
            return;
        }
        RUNNER.setOpaque(this, thread);
        Completion current = completion;
        Throwable currentFailure = failure;
        Throwable thrown = null;
        while (current != null) {
            try {
                current.done(currentFailure);
            } catch (Throwable bad) {
                thrown = thrown == null ? bad : thrown; // the others still run: each completion runs exactly once
            }
            current = following(thread);
            if (current != null) {
                currentFailure = nextFailure;
                next = null;
            }
        }
        if (thrown != null) {
            throw CompletionLoop.<RuntimeException>undeclared(thrown);
        }
    }

    /** Null, and the loop ends, if this thread has set no further completion. */
    private @Nullable Completion following(Thread thread) {
        // next is read before runner: a completion set by another thread is visible only after that thread became the
        // runner
        Completion following = (Completion) NEXT.getAcquire(this);
        if (following != null && isRunBy(thread)) {
            return following;
        }
        RUNNER.compareAndSet(this, thread, null);
        return null;
    }

    @SuppressWarnings("ReferenceEquality") // threads are compared by identity
    private boolean isRunBy(Thread thread) {
        Thread current = (Thread) RUNNER.getOpaque(this);
        return current == thread;
    }

    /** Rethrows a throwable unchanged, even a checked exception. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // the cast is not made at run time
    private static <T extends Throwable> T undeclared(Throwable thrown) throws T {
        throw (T) thrown;
    }
}

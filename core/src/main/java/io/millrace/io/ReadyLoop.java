package io.millrace.io;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Calls a handler whose input is already buffered. A layer that holds decoded bytes cannot rely on the connection below
 * to report them; and if it called the handler inside {@link Connection#awaitReadable}, a handler that awaits again
 * would recurse once for each buffered piece. Here the next call is made after the current one has returned.
 *
 * <pre>
 * from        event   to
 * IDLE        run     CALLING     the caller makes the call, and those that follow
 * CALLING     run     CALL_AGAIN  the thread that is making the call makes another one
 * CALLING     return  IDLE
 * CALL_AGAIN  return  CALLING     the next call
 * CALL_AGAIN  run     an error: awaitReadable was called twice
 * </pre>
 */
public final class ReadyLoop {

    private static final VarHandle STATE = AtomicField.of(MethodHandles.lookup(), "state", State.class);

    private enum State {
        IDLE,
        CALLING,
        CALL_AGAIN
    }

    private volatile State state = State.IDLE;

    /**
     * Makes a call on this thread, or, if one is in progress, after it on its thread. Called by the connection's owner,
     * as its last action.
     *
     * @throws IllegalStateException if it is called twice without a call in between
     */
    public void run(Runnable call) {
        while (!STATE.compareAndSet(this, State.IDLE, State.CALLING)) {
            if (STATE.compareAndSet(this, State.CALLING, State.CALL_AGAIN)) {
                return;
            }
            if (state == State.CALL_AGAIN) {
                throw new IllegalStateException("awaitReadable called twice");
            }
        }
        try {
            do {
                call.run();
            } while (isCallPending());
        } catch (RuntimeException | Error thrown) {
            state = State.IDLE;
            throw thrown;
        }
    }

    private boolean isCallPending() {
        if (STATE.compareAndSet(this, State.CALLING, State.IDLE)) {
            return false;
        }
        state = State.CALLING;
        return true;
    }
}

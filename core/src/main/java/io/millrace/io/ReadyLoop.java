package io.millrace.io;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Calls a handler whose input is here already. A layer that holds bytes cannot leave it to the connection below to tell of
 * them; and if it called the handler inside {@link Connection#awaitReadable}, a handler that awaits again would be called
 * inside its own call, once for each piece its peer cared to send. Here the next call follows the one under way.
 *
 * <pre>
 * from        event    to
 * IDLE        run      CALLING      the caller makes the call, and those that follow
 * CALLING     run      CALL_AGAIN   the thread that makes the call makes another
 * CALLING     return   IDLE
 * CALL_AGAIN  return   CALLING      the next call
 * CALL_AGAIN  run      an error: one awaits once
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
     * By the connection's owner, as its last act: the call is made, now and on this thread, or after the call that is under
     * way and on that one's.
     *
     * @throws IllegalStateException if this was called twice without a call between
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
            } while (isWantedAgain());
        } catch (RuntimeException | Error thrown) {
            state = State.IDLE;
            throw thrown;
        }
    }

    private boolean isWantedAgain() {
        if (STATE.compareAndSet(this, State.CALLING, State.IDLE)) {
            return false;
        }
        state = State.CALLING;
        return true;
    }
}

package io.millrace.protocol.serial;

import io.millrace.io.AtomicField;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Decides which thread continues with a connection after an exchange: the loop that dispatched it, if the exchange ended
 * on the same thread before the dispatching call returned (otherwise the stack would grow with every pipelined request);
 * otherwise the thread that ended it.
 *
 * <pre>
 * RUNNING   returned            RETURNED      the loop leaves; the thread that ends the exchange continues
 * RUNNING   ended, same thread  ENDED_WITHIN  the loop continues when the call has returned
 * RUNNING   ended, another      ENDED         that other thread continues, the loop leaves
 * RETURNED  ended               ENDED         the thread that ended it continues
 * </pre>
 */
final class DispatchCall {

    private enum Phase {
        RUNNING,
        RETURNED,
        ENDED_WITHIN,
        ENDED
    }

    private static final VarHandle PHASE = AtomicField.of(MethodHandles.lookup(), "phase", Phase.class);

    private final Thread dispatcher = Thread.currentThread();
    private volatile Phase phase = Phase.RUNNING;

    /** The dispatching call has returned. True if the exchange has ended, and the caller continues. */
    boolean returned() {
        return !PHASE.compareAndSet(this, Phase.RUNNING, Phase.RETURNED) && phase == Phase.ENDED_WITHIN;
    }

    /**
     * The exchange has ended. True if the caller continues.
     *
     * @throws IllegalStateException if it had ended already
     */
    boolean ended() {
        boolean within = Thread.currentThread().equals(dispatcher);
        if (within && PHASE.compareAndSet(this, Phase.RUNNING, Phase.ENDED_WITHIN)) {
            return false;
        }
        Phase before = (Phase) PHASE.getAndSet(this, Phase.ENDED);
        if (before == Phase.ENDED || before == Phase.ENDED_WITHIN) {
            throw new IllegalStateException("the exchange was ended twice; " + before);
        }
        return true;
    }
}

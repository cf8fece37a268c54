package io.millrace.protocol.serial;

import java.util.concurrent.atomic.AtomicReference;

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

    private final Thread dispatcher = Thread.currentThread();
    private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.RUNNING);

    /** The dispatching call has returned. True if the exchange has ended, and the caller continues. */
    boolean returned() {
        return !phase.compareAndSet(Phase.RUNNING, Phase.RETURNED) && phase.get() == Phase.ENDED_WITHIN;
    }

    /**
     * The exchange has ended. True if the caller continues.
     *
     * @throws IllegalStateException if it had ended already
     */
    boolean ended() {
        boolean within = Thread.currentThread().equals(dispatcher);
        if (within && phase.compareAndSet(Phase.RUNNING, Phase.ENDED_WITHIN)) {
            return false;
        }
        Phase before = phase.getAndSet(Phase.ENDED);
        if (before == Phase.ENDED || before == Phase.ENDED_WITHIN) {
            throw new IllegalStateException("the exchange was ended twice; " + before);
        }
        return true;
    }
}

package io.millrace.protocol.serial;

import java.util.concurrent.atomic.AtomicReference;

/**
 * Settles who goes on with a connection after an exchange: the loop that dispatched it, if the exchange ended on the same
 * thread before the dispatching call returned (otherwise the stack would grow with every pipelined request); else whoever
 * ended it.
 *
 * <pre>
 * RUNNING   returned            RETURNED        the loop leaves; who ends the exchange goes on
 * RUNNING   ended, same thread  ENDED_WITHIN    the loop goes on when the call has returned
 * RUNNING   ended, another      ENDED           that other thread goes on, the loop leaves
 * RETURNED  ended               ENDED           whoever ended it goes on
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

    /** The dispatching call has returned. True: the exchange is over, and the caller goes on. */
    boolean returned() {
        return !phase.compareAndSet(Phase.RUNNING, Phase.RETURNED) && phase.get() == Phase.ENDED_WITHIN;
    }

    /**
     * The exchange is over. True: the caller goes on.
     *
     * @throws IllegalStateException if it was over already
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

package io.millrace.exchange;

import org.jspecify.annotations.Nullable;

/**
 * The state that determines which thread may run an exchange. Changed by several threads, with compare-and-set.
 *
 * <pre>
 * from        event     to          meaning
 * READY       RUN       RUNNING     a thread enters the handler
 * READY       REJECT    ENDING      the executor rejected the step: 503
 * RUNNING     RETURN    ENDING      the handler returned or threw
 * RUNNING     SUSPEND   SUSPENDING  suspended, its call is still on the stack
 * RUNNING     DISPATCH  HANDOVER    the next step is known, the call is still on the stack
 * SUSPENDING  RETURN    SUSPENDED   no thread owns the exchange
 * SUSPENDING  RESUME    HANDOVER    resumed before the call returned
 * SUSPENDED   RESUME    READY       (or completed, failed, timed out) the next step is queued
 * HANDOVER    RETURN    READY       the next step is queued, or runs on the same thread
 * ENDING      FINISH    ENDED       the response is finished too, the stream is notified
 * </pre>
 *
 * Every other event is illegal. Races to resume are decided before: only the thread that {@linkplain Suspended#claim claims}
 * the suspension makes the transition.
 */
enum Flow {
    READY,
    RUNNING,
    SUSPENDING,
    SUSPENDED,
    HANDOVER,
    ENDING,
    ENDED;

    /** The events of an exchange. */
    enum Event {
        RUN,
        REJECT,
        RETURN,
        SUSPEND,
        DISPATCH,
        RESUME,
        FINISH
    }

    /**
     * The next state.
     *
     * @throws IllegalStateException if the event is illegal in this state
     */
    static Flow next(Flow from, Event event) {
        Flow to = switch (event) {
            case RUN -> from == READY ? RUNNING : null;
            case REJECT -> from == READY ? ENDING : null;
            case SUSPEND -> from == RUNNING ? SUSPENDING : null;
            case DISPATCH -> from == RUNNING ? HANDOVER : null;
            case RESUME -> from == SUSPENDING ? HANDOVER : from == SUSPENDED ? READY : null;
            case RETURN -> afterReturn(from);
            case FINISH -> from == ENDING ? ENDED : null;
        };
        if (to == null) {
            throw new IllegalStateException("the exchange is " + from + "; " + event + " is not possible now");
        }
        return to;
    }

    private static @Nullable Flow afterReturn(Flow from) {
        return switch (from) {
            case RUNNING -> ENDING;
            case SUSPENDING -> SUSPENDED;
            case HANDOVER -> READY;
            default -> null;
        };
    }
}

package io.millrace.tls.layer;

/**
 * Whether a connection's output is being worked on. Whoever made it BUSY works, and so does the completion of what he wrote,
 * until there is nothing left to send.
 *
 * <pre>
 * from   event   to
 * IDLE   SUBMIT  BUSY    the submitter works
 * BUSY   SUBMIT  AGAIN   a thread is working: it looks again before it stops
 * AGAIN  SUBMIT  AGAIN
 * BUSY   REST    IDLE    nothing is left to send
 * AGAIN  REST    BUSY    looks again
 * BUSY   END     ENDED   finished or failed: nothing can be sent any more
 * AGAIN  END     ENDED
 * ENDED  any     ENDED
 * IDLE   REST    error   only who works can rest or end
 * IDLE   END     error
 * </pre>
 */
enum WriterState {
    IDLE,
    BUSY,
    AGAIN,
    ENDED;

    enum Event {
        SUBMIT,
        REST,
        END
    }

    static WriterState next(WriterState from, Event event) {
        if (from == ENDED) {
            return ENDED;
        }
        if (from == IDLE && event != Event.SUBMIT) {
            throw new IllegalStateException(from + ", " + event);
        }
        return switch (event) {
            case SUBMIT -> from == IDLE ? BUSY : AGAIN;
            case REST -> from == AGAIN ? BUSY : IDLE;
            case END -> ENDED;
        };
    }
}

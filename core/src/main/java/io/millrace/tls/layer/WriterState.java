package io.millrace.tls.layer;

/**
 * The states of a connection's output. The thread that made it BUSY works, and then the completions of its writes, until nothing is
 * left to send.
 *
 * <pre>
 * from   event   to
 * IDLE   SUBMIT  BUSY    the submitter works
 * BUSY   SUBMIT  AGAIN   a thread is working: it checks again before it stops
 * AGAIN  SUBMIT  AGAIN
 * BUSY   REST    IDLE    nothing is left to send
 * AGAIN  REST    BUSY    checks again
 * BUSY   END     ENDED   finished or failed: nothing can be sent any more
 * AGAIN  END     ENDED
 * ENDED  any     ENDED
 * IDLE   REST    error   only the working thread rests or ends
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

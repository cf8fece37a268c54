package io.millrace.io.socket;

/**
 * The state of an outgoing connection attempt.
 *
 * <pre>
 * from        event      to
 * RESOLVING   ADDRESSES  CONNECTING  the addresses are tried
 * CONNECTING  CONNECTED  CONNECTED   the socket is passed to the thread that will serve it, which notifies the listener
 * RESOLVING   FAILED     FAILED      the listener is notified
 * CONNECTING  FAILED     FAILED      likewise: no address left, timeout, cancelled, stopped
 * CONNECTED   any        -           too late
 * FAILED      any        -           too late
 * </pre>
 */
enum DialState {
    RESOLVING,
    CONNECTING,
    CONNECTED,
    FAILED;

    enum Event {
        ADDRESSES,
        CONNECTED,
        FAILED
    }

    /** The next state; the same one if the event is ignored. */
    static DialState next(DialState from, Event event) {
        if (from == CONNECTED || from == FAILED) {
            return from;
        }
        return switch (event) {
            case ADDRESSES -> CONNECTING;
            case CONNECTED -> {
                if (from != CONNECTING) {
                    throw new IllegalStateException(from + ", " + event);
                }
                yield CONNECTED;
            }
            case FAILED -> FAILED;
        };
    }
}

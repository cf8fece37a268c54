package io.millrace.io.socket;

/**
 * How far a dial has come.
 *
 * <pre>
 * from        event      to
 * RESOLVING   ADDRESSES  CONNECTING  attempts begin
 * CONNECTING  CONNECTED  CONNECTED   the socket goes to the thread that will serve it, which tells the listener
 * RESOLVING   FAILED     FAILED      the listener is notified
 * CONNECTING  FAILED     FAILED      likewise: no address is left, the time is over, cancelled, stopped
 * CONNECTED   any        -           came too late
 * FAILED      any        -           likewise
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

    /** The same if the event changes nothing. */
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

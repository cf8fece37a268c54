package io.millrace.websocket;

import java.util.concurrent.atomic.LongAdder;

/** Counts the messages of any number of connections, without pings, pongs and close frames. Thread-safe. */
public final class MessageMeter {

    private final LongAdder received = new LongAdder();
    private final LongAdder sent = new LongAdder();

    /** A meter that has counted nothing. */
    public MessageMeter() {}

    /** The messages that have arrived completely. */
    public long received() {
        return received.sum();
    }

    /** The messages that were sent, or wait to be. */
    public long sent() {
        return sent.sum();
    }

    void addReceived() {
        received.increment();
    }

    void addSent() {
        sent.increment();
    }
}

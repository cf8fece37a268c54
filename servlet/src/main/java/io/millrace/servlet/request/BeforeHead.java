package io.millrace.servlet.request;

import io.millrace.exchange.BodySink;
import io.millrace.io.Completion;
import io.millrace.io.Payload;

/** Runs an action before the first write of a body, which commits the head. Confined to the exchange's owner. */
final class BeforeHead implements BodySink {

    private final BodySink sink;
    private final Runnable action;
    private boolean done;

    BeforeHead(BodySink sink, Runnable action) {
        this.sink = sink;
        this.action = action;
    }

    @Override
    public void write(Payload piece, boolean last, Completion completion) {
        if (!done) {
            done = true;
            action.run();
        }
        sink.write(piece, last, completion);
    }
}

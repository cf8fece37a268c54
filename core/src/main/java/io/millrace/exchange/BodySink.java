package io.millrace.exchange;

import io.millrace.io.Completion;
import io.millrace.io.Payload;

/** A response's body. */
@FunctionalInterface
public interface BodySink {

    /**
     * Sends a piece; the first commits the head. One at a time: the next may begin when the completion has run, or inside
     * it.
     *
     * @param last no piece follows
     */
    void write(Payload piece, boolean last, Completion completion);
}

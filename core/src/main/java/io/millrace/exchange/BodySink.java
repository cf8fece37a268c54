package io.millrace.exchange;

import io.millrace.io.Completion;
import io.millrace.io.Payload;

/** The body of a response. */
@FunctionalInterface
public interface BodySink {

    /**
     * Sends a piece of the body; the first piece commits the head. One write at a time: the next one may begin after the
     * completion has been called, or inside it.
     *
     * @param piece its buffers must not be modified until the completion has been called
     * @param last whether this is the last piece
     * @param completion called once, with the failure if the piece could not be sent; must not block
     */
    void write(Payload piece, boolean last, Completion completion);
}

package io.millrace.protocol.serial;

import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Parses requests of a protocol: one codec for each {@link SerialConnection}, which calls it to read a request. The body
 * and the response belong to the {@link SerialStream}.
 *
 * <p><b>Threads.</b> All methods are called by the connection's owner. <b>Errors.</b> An exception closes the connection
 * immediately; one that is not an {@link IOException} is logged as an internal error.
 */
public interface SerialCodec {

    /** The result of reading. */
    enum Next {
        /** A request was passed to {@link SerialConnection#request}, and is to be dispatched. */
        REQUEST,
        /** Something that was handled immediately, such as a ping. Reading continues. */
        HANDLED,
        /** Nothing; the connection is idle. */
        NOTHING,
        /** An incomplete head. */
        PART_OF_HEAD,
        /** An incomplete body that is discarded. */
        PART_OF_BODY,
        /** No further request will be read: the connection is closed when all output has been sent. */
        LAST
    }

    /**
     * Reads from {@link SerialConnection#input} until there is a result. Keeps an incomplete head. Responds to a request
     * that it rejects itself, through {@link SerialConnection#outbox}.
     *
     * @throws IOException if the start of the next request is unknown, and no response is possible
     */
    Next next(SerialConnection connection) throws IOException;

    /**
     * The remaining time for the peer to complete what {@link #next} waits for. A byte now and then does not extend the
     * wait for a head.
     *
     * @param what the result of {@link #next}
     * @param limit the total time; zero for no timeout
     * @return zero for no timeout; null if the time is over
     */
    @Nullable
    Duration timeLeft(Next what, Duration limit);

    /**
     * Called if the rest of a head did not arrive in time: responds, or throws. The connection is then closed.
     *
     * @throws IOException if no response is possible
     */
    void headOverdue(SerialConnection connection) throws IOException;

    /** Whether all input was used. If not, the peer may still be sending when the last response has been sent. */
    boolean isAllUsed();
}

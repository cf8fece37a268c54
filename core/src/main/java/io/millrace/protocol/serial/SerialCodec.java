package io.millrace.protocol.serial;

import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a protocol makes of the bytes between one request's body and the next: one for each {@link SerialConnection}, which
 * calls it whenever it has the input for reading a request. What follows a head, the body and the response, is the
 * {@link SerialStream}'s.
 *
 * <p><b>Threads.</b> All methods are called by the connection's owner. <b>Errors.</b> Whatever a method throws closes its
 * connection at once; what is no {@link IOException} is logged as a defect of the server.
 */
public interface SerialCodec {

    /** What the input held. */
    enum Next {
        /** A request was passed to {@link SerialConnection#request}, and is to be served. */
        REQUEST,
        /** Something that was dealt with on the spot, such as a ping. Read on. */
        HANDLED,
        /** Nothing yet, and the peer may take its time. */
        NOTHING,
        /** Part of a head, and no more yet. */
        PART_OF_HEAD,
        /** Part of a request's body that is discarded, and no more yet. */
        PART_OF_BODY,
        /** Nothing will be read as a request any more: close the connection when all that was sent is gone. */
        LAST
    }

    /**
     * Reads from {@link SerialConnection#input} until there is something to tell. It keeps to itself what is less than a head.
     * A request that it refuses it answers itself, into {@link SerialConnection#outbox}.
     *
     * @throws IOException if the start of the next request is unknown, and no response is possible
     */
    Next next(SerialConnection connection) throws IOException;

    /**
     * What is left of the time that the peer has for what {@link #next} said that it waits for. So a byte now and then does
     * not prolong the wait for a head.
     *
     * @param limit how long the peer has for it altogether; zero for no timeout
     * @return zero for no timeout; null if the time is up
     */
    @Nullable
    Duration timeLeft(Next what, Duration limit);

    /**
     * The rest of a head did not come in time: answers that, or throws. The connection is then closed.
     *
     * @throws IOException if there is nothing to answer
     */
    void headOverdue(SerialConnection connection) throws IOException;

    /** Was all that came used? If not, the peer may still be sending when the last response is gone. */
    boolean isAllUsed();
}

package io.millrace.protocol;

import io.millrace.http.RequestHead;
import io.millrace.io.Chunk;
import io.millrace.io.Connection;
import io.millrace.io.ConnectionHandler;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A stateless factory of connection handlers. Independent of the transport and of how requests are processed. */
public interface Protocol {

    /** Whether the first bytes of a connection belong to this protocol. */
    enum Match {
        YES,
        NO,
        NEED_MORE
    }

    /** The ALPN id, which is also its id among the protocols of a connector. */
    String id();

    /** Whether these first bytes of a connection belong to this protocol. Must not change the buffer's position. */
    Match match(ByteBuffer prefix);

    /**
     * Creates the handler of a connection. The caller installs it and then calls its {@code onReadable} once.
     *
     * @param unread bytes that were read before the protocol was selected, owned by the handler; null if there are none
     * @param dispatcher receives the requests
     */
    ConnectionHandler open(Connection connection, @Nullable Chunk unread, Dispatcher dispatcher);

    /** Opens the protocol on a connection, and starts it. Called on the connection's thread; the parameters are those of {@link #open}. */
    default void start(Connection connection, @Nullable Chunk unread, Dispatcher dispatcher) {
        ConnectionHandler handler = open(connection, unread, dispatcher);
        connection.install(handler);
        handler.onReadable();
    }

    /**
     * Whether an HTTP/1.1 request on a connection without TLS asks to switch to this protocol (RFC 9110, 7.8).
     *
     * @param request without a body, with an Upgrade field
     * @param dispatcher for this request and those that follow
     * @return opens this protocol on the connection; null if the request does not ask for it, or not in a valid way: it
     *     is then handled in HTTP/1.1
     */
    default @Nullable Successor upgrade(RequestHead request, Dispatcher dispatcher) {
        return null;
    }

    /** The protocol's name in the Upgrade field; null if it does not support {@link #upgrade}. */
    default @Nullable String upgradeName() {
        return null;
    }
}

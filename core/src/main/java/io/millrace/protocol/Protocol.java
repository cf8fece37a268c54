package io.millrace.protocol;

import io.millrace.http.RequestHead;
import io.millrace.io.Chunk;
import io.millrace.io.Connection;
import io.millrace.io.ConnectionHandler;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A stateless factory of connection handlers. It knows neither the transport nor what becomes of requests. */
public interface Protocol {

    /** What the first bytes of a connection say about its protocol. */
    enum Match {
        YES,
        NO,
        NEED_MORE
    }

    /** The ALPN id, and the name in server.xml. */
    String id();

    /** Do these first bytes begin this protocol? Must not move the position. */
    Match match(ByteBuffer prefix);

    /**
     * A handler for a connection. The caller installs it and then calls its {@code onReadable} once.
     *
     * @param unread bytes read before the protocol was known; the handler owns them
     */
    ConnectionHandler open(Connection connection, @Nullable Chunk unread, Dispatcher dispatcher);

    /**
     * Does a request of HTTP/1.1, on a connection without TLS, ask that the connection goes on in this protocol (RFC 9110, 7.8)?
     *
     * @param request without a body, with an Upgrade field
     * @param dispatcher for this request and those that follow
     * @return what goes on; null if it does not ask, or not as it should: HTTP/1.1 answers then
     */
    default @Nullable Successor upgrade(RequestHead request, Dispatcher dispatcher) {
        return null;
    }

    /** The name by which {@link #upgrade} is asked for, in the Upgrade field; null if the protocol has none. */
    default @Nullable String upgradeName() {
        return null;
    }
}

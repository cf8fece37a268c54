package io.millrace.protocol;

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
}

package io.millrace.protocol;

import io.millrace.io.Chunk;
import io.millrace.io.Connection;
import io.millrace.io.ConnectionHandler;
import org.jspecify.annotations.Nullable;

/** Goes on with a connection in another protocol, after an upgrade (RFC 9110, 7.8). */
@FunctionalInterface
public interface Successor {

    /**
     * The connection's next handler. The caller installs it and then calls its {@code onReadable} once.
     *
     * @param unread bytes that came behind the request; the handler owns them, unless this throws
     */
    ConnectionHandler open(Connection connection, @Nullable Chunk unread);

    /** The same, and releases what was read if there is no handler to own it. */
    static ConnectionHandler handler(Successor successor, Connection connection, @Nullable Chunk unread) {
        boolean opened = false;
        try {
            ConnectionHandler handler = successor.open(connection, unread);
            opened = true;
            return handler;
        } finally {
            if (!opened && unread != null) {
                unread.release();
            }
        }
    }
}

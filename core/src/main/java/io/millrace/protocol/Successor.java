package io.millrace.protocol;

import io.millrace.io.Chunk;
import io.millrace.io.Connection;
import io.millrace.io.ConnectionHandler;
import org.jspecify.annotations.Nullable;

/** Opens another protocol on a connection after an upgrade (RFC 9110, 7.8). */
@FunctionalInterface
public interface Successor {

    /**
     * Creates the connection's next handler. The caller installs it and then calls its {@code onReadable} once.
     *
     * @param unread bytes received after the request, owned by the handler unless this method throws; null if there are
     *     none
     */
    ConnectionHandler open(Connection connection, @Nullable Chunk unread);

    /** Calls {@link #open}, and releases the unread bytes if it throws. */
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

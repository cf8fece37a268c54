package io.millrace.protocol.serial;

import io.millrace.io.Chunk;
import io.millrace.io.Connection;
import io.millrace.io.ConnectionHandler;
import org.jspecify.annotations.Nullable;

/** Goes on with a connection after an upgrade. */
@FunctionalInterface
public interface Successor {

    /**
     * The connection's next handler. The caller installs it and then calls its {@code onReadable} once.
     *
     * @param unread bytes that came behind the request; the handler owns them, unless this throws
     */
    ConnectionHandler open(Connection connection, @Nullable Chunk unread);
}

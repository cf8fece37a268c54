package io.millrace.connector.nio;

import io.millrace.io.socket.ConnectionList;
import org.xnio.XnioIoThread;

/**
 * An I/O thread with what one transport has on it.
 *
 * @param io the thread, which other transports have connections on too
 * @param connections those of this transport
 * @param courtesy towards the threads that these connections are handed to
 */
record NioThread(XnioIoThread io, ConnectionList<NioConnection> connections, Courtesy courtesy) {

    NioThread(XnioIoThread io) {
        this(io, new ConnectionList<>(), new Courtesy(io));
    }
}

package io.millrace.connector.nio2;

import io.millrace.io.Connection;
import io.millrace.io.socket.ConnectionList;
import io.millrace.io.socket.SocketTransport;
import java.io.IOException;
import java.nio.channels.AsynchronousSocketChannel;
import java.util.function.Consumer;

/**
 * Creates connections of accepted sockets.
 *
 * @param transport theirs
 * @param connections where they are kept
 * @param group serves them
 * @param onAccept gets each
 */
record ConnectionFactory(
        SocketTransport transport,
        ConnectionList<Nio2Connection> connections,
        IoGroup group,
        Consumer<Connection> onAccept)
        implements Consumer<AsynchronousSocketChannel> {

    /** On the acceptor's thread. */
    @Override
    public void accept(AsynchronousSocketChannel socket) {
        Nio2Connection connection;
        try {
            connection = new Nio2Connection(transport, connections, group, socket);
        } catch (IOException gone) {
            discard(socket); // the peer has gone already
            return;
        }
        connections.add(connection);
        connection.begin(onAccept);
    }

    private void discard(AsynchronousSocketChannel socket) {
        try {
            socket.close();
        } catch (IOException broken) {
            // closed all the same
        }
        transport.left();
    }
}

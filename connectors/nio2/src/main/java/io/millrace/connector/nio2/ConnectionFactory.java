package io.millrace.connector.nio2;

import io.millrace.io.Connection;
import io.millrace.io.socket.Adopter;
import io.millrace.io.socket.ConnectionList;
import io.millrace.io.socket.ConnectionOwner;
import java.io.IOException;
import java.nio.channels.AsynchronousSocketChannel;
import java.util.function.Consumer;

/**
 * Creates connections for connected sockets.
 *
 * @param owner the transport or dialer that they belong to
 * @param connections the list of open connections
 * @param group the threads that serve them
 */
record ConnectionFactory(ConnectionOwner owner, ConnectionList<Nio2Connection> connections, IoGroup group)
        implements Adopter<AsynchronousSocketChannel> {

    /** Called on the accept thread. */
    @Override
    public void adopt(AsynchronousSocketChannel socket, Consumer<Connection> onOpen, Consumer<Throwable> onFailed) {
        Nio2Connection connection;
        try {
            connection = new Nio2Connection(owner, connections, group, socket);
        } catch (IOException gone) {
            discard(socket); // the peer has closed it already
            onFailed.accept(gone);
            return;
        }
        connections.add(connection);
        connection.begin(onOpen);
    }

    private void discard(AsynchronousSocketChannel socket) {
        try {
            socket.close();
        } catch (IOException broken) {
            // closed all the same
        }
        owner.left();
    }
}

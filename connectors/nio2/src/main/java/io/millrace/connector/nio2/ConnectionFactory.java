package io.millrace.connector.nio2;

import io.millrace.io.Connection;
import io.millrace.io.socket.Adopter;
import io.millrace.io.socket.ConnectionList;
import io.millrace.io.socket.ConnectionOwner;
import java.io.IOException;
import java.nio.channels.AsynchronousSocketChannel;
import java.util.function.Consumer;

/**
 * Creates connections of sockets that are connected.
 *
 * @param owner theirs
 * @param connections where they are kept
 * @param group serves them
 */
record ConnectionFactory(ConnectionOwner owner, ConnectionList<Nio2Connection> connections, IoGroup group)
        implements Adopter<AsynchronousSocketChannel> {

    /** On the acceptor's thread. */
    @Override
    public void adopt(AsynchronousSocketChannel socket, Consumer<Connection> onOpen, Consumer<Throwable> onFailed) {
        Nio2Connection connection;
        try {
            connection = new Nio2Connection(owner, connections, group, socket);
        } catch (IOException gone) {
            discard(socket); // the peer has gone already
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

package io.millrace.connector.apr;

import io.millrace.connector.apr.binding.AprSocket;
import io.millrace.io.Connection;
import io.millrace.io.socket.ConnectionList;
import io.millrace.io.socket.SocketTransport;
import java.io.IOException;
import java.util.function.Consumer;

/** Gives accepted sockets to the pollers in turn, so that a few connections are spread evenly too. */
final class RoundRobin implements Consumer<AprSocket> {

    private final Pollers pollers;
    private final SocketTransport transport;
    private final ConnectionList<AprConnection> connections;
    private final Consumer<Connection> onAccept;
    private int turn;

    RoundRobin(
            Pollers pollers,
            SocketTransport transport,
            ConnectionList<AprConnection> connections,
            Consumer<Connection> onAccept) {
        this.pollers = pollers;
        this.transport = transport;
        this.connections = connections;
        this.onAccept = onAccept;
    }

    /** On the acceptor's thread. */
    @Override
    public void accept(AprSocket socket) {
        Poller poller = pollers.get(turn);
        turn = (turn + 1) % pollers.count();
        poller.execute(() -> begin(socket, poller));
    }

    private void begin(AprSocket socket, Poller poller) {
        AprConnection connection;
        try {
            connection = new AprConnection(transport, connections, poller, socket);
        } catch (IOException | RuntimeException failed) {
            socket.close();
            transport.left();
            return;
        }
        connections.add(connection);
        connection.begin(onAccept);
    }
}

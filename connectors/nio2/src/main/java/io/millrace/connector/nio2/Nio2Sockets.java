package io.millrace.connector.nio2;

import io.millrace.io.TransportOptions;
import io.millrace.io.socket.Acceptor;
import io.millrace.io.socket.ConnectionList;
import io.millrace.io.socket.SharedThreads;
import io.millrace.io.socket.SocketTransport;
import io.millrace.io.socket.Sockets;
import java.io.IOException;
import java.util.concurrent.CompletionStage;

/** One listening socket and its connections, served by the threads of a shared {@link IoGroup}. */
final class Nio2Sockets implements Sockets {

    private final SharedThreads<IoGroup> shared;
    private final IoGroup group;
    private final ConnectionList<Nio2Connection> connections;
    private final Acceptor acceptor;

    private Nio2Sockets(
            SharedThreads<IoGroup> shared,
            IoGroup group,
            ConnectionList<Nio2Connection> connections,
            Acceptor acceptor) {
        this.shared = shared;
        this.group = group;
        this.connections = connections;
        this.acceptor = acceptor;
    }

    /** A transport that has its threads in common with others. */
    static SocketTransport transport(TransportOptions options, SharedThreads<IoGroup> shared) {
        return new SocketTransport(
                options,
                (transport, address, onAccept) -> shared.acquire(options, group -> {
                    ConnectionList<Nio2Connection> connections = new ConnectionList<>();
                    Newcomers newcomers = new Newcomers(transport, connections, group, onAccept);
                    Nio2Entrance entrance = new Nio2Entrance(address, options, group);
                    Acceptor acceptor = new Acceptor(entrance, options, group.acceptor(), newcomers);
                    return new Nio2Sockets(shared, group, connections, acceptor);
                }));
    }

    @Override
    public Acceptor acceptor() {
        return acceptor;
    }

    @Override
    public void announce() {
        connections.forEach(connection -> connection.life().tellDrain());
    }

    @Override
    public void drain() {
        group.later(() -> connections.forEach(Nio2Connection::drain));
    }

    @Override
    public void cut(IOException why) {
        group.later(() -> connections.forEach(connection -> connection.close(why)));
    }

    @Override
    public CompletionStage<Void> release() {
        return shared.release();
    }
}

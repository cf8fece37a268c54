package io.millrace.connector.apr;

import io.millrace.io.TransportOptions;
import io.millrace.io.socket.Acceptor;
import io.millrace.io.socket.ConnectionList;
import io.millrace.io.socket.SharedThreads;
import io.millrace.io.socket.SocketTransport;
import io.millrace.io.socket.Sockets;
import java.io.IOException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** One listening socket and its connections, each of which belongs to one of the shared pollers. */
final class AprSockets implements Sockets {

    private final SharedThreads<Pollers> shared;
    private final Pollers pollers;
    private final ConnectionList<AprConnection> connections;
    private final Acceptor acceptor;

    private AprSockets(
            SharedThreads<Pollers> shared,
            Pollers pollers,
            ConnectionList<AprConnection> connections,
            Acceptor acceptor) {
        this.shared = shared;
        this.pollers = pollers;
        this.connections = connections;
        this.acceptor = acceptor;
    }

    /** A transport that has its pollers in common with others. */
    static SocketTransport transport(TransportOptions options, SharedThreads<Pollers> shared) {
        return new SocketTransport(
                options,
                (transport, address, onAccept) -> shared.acquire(options, pollers -> {
                    ConnectionList<AprConnection> connections = new ConnectionList<>();
                    RoundRobin newcomers = new RoundRobin(pollers, transport, connections, onAccept);
                    Poller thread = pollers.acceptor();
                    AprEntrance entrance = new AprEntrance(address, options, thread.pollset());
                    Acceptor acceptor = new Acceptor(entrance, options, thread, newcomers);
                    return new AprSockets(shared, pollers, connections, acceptor);
                }));
    }

    /** What it accepted last is in the pollers' queues, before the draining. */
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
        onEachPoller(AprConnection::drain);
    }

    @Override
    public void cut(IOException why) {
        onEachPoller(connection -> connection.close(why));
    }

    /** On its poller, each connection that has begun by then. */
    private void onEachPoller(Consumer<AprConnection> action) {
        for (int i = 0; i < pollers.count(); i++) {
            Poller poller = pollers.get(i);
            poller.execute(() -> connections.forEach(connection -> {
                if (connection.isOn(poller)) {
                    action.accept(connection);
                }
            }));
        }
    }

    @Override
    public CompletionStage<Void> release() {
        return shared.release();
    }
}

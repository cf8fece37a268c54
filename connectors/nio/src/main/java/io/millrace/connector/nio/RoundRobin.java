package io.millrace.connector.nio;

import io.millrace.io.Connection;
import io.millrace.io.socket.SocketTransport;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.function.Consumer;
import org.xnio.IoUtils;

/** Gives accepted sockets to the I/O threads in turn, so that a few connections are spread evenly too. */
final class RoundRobin implements Consumer<SocketChannel> {

    private final List<NioThread> threads;
    private final SocketTransport transport;
    private final Consumer<Connection> onAccept;
    private final SocketAdoption adoption;
    private int turn;

    RoundRobin(List<NioThread> threads, SocketTransport transport, Consumer<Connection> onAccept) {
        this.threads = threads;
        this.transport = transport;
        this.onAccept = onAccept;
        this.adoption = new SocketAdoption(threads.get(0).io().getClass());
    }

    /** On the acceptor's thread. */
    @Override
    public void accept(SocketChannel socket) {
        NioThread thread = threads.get(turn);
        turn = (turn + 1) % threads.size();
        thread.io().execute(() -> begin(socket, thread));
    }

    private void begin(SocketChannel socket, NioThread thread) {
        NioConnection connection;
        try {
            connection = new NioConnection(transport, thread, socket, adoption.adopt(socket, thread.io()));
        } catch (IOException | RuntimeException failed) {
            IoUtils.safeClose(socket);
            transport.left();
            return;
        }
        connection.begin(onAccept);
    }
}

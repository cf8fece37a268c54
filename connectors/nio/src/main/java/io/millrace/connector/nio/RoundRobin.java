package io.millrace.connector.nio;

import io.millrace.io.Connection;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.function.Consumer;
import org.xnio.IoUtils;
import org.xnio.XnioIoThread;
import org.xnio.XnioWorker;

/** Gives accepted sockets to the I/O threads in turn, so that a few connections are spread evenly too. */
final class RoundRobin implements Consumer<SocketChannel> {

    private final XnioWorker worker;
    private final NioTransport transport;
    private final Consumer<Connection> onAccept;
    private final SocketAdoption adoption;
    private int turn;

    RoundRobin(XnioWorker worker, NioTransport transport, Consumer<Connection> onAccept) {
        this.worker = worker;
        this.transport = transport;
        this.onAccept = onAccept;
        this.adoption = new SocketAdoption(worker.getIoThread(0).getClass());
    }

    /** On the acceptor's thread. */
    @Override
    public void accept(SocketChannel socket) {
        XnioIoThread thread = worker.getIoThread(turn);
        turn = (turn + 1) % worker.getIoThreadCount();
        thread.execute(() -> begin(socket, thread));
    }

    private void begin(SocketChannel socket, XnioIoThread thread) {
        NioConnection connection;
        try {
            connection = new NioConnection(transport, socket, adoption.adopt(socket, thread));
        } catch (IOException | RuntimeException failed) {
            IoUtils.safeClose(socket);
            transport.left();
            return;
        }
        connection.begin(onAccept);
    }
}

package io.millrace.connector.apr;

import io.millrace.connector.apr.binding.AprSocket;
import io.millrace.connector.apr.binding.Polled;
import io.millrace.io.BufferPool;
import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.Connection;
import io.millrace.io.ConnectionHandler;
import io.millrace.io.ConnectionInfo;
import io.millrace.io.Payload;
import io.millrace.io.Timers;
import io.millrace.io.socket.ConnectionLife;
import io.millrace.io.socket.ConnectionList;
import io.millrace.io.socket.IdleClock;
import io.millrace.io.socket.Linked;
import io.millrace.io.socket.SocketInfo;
import io.millrace.io.socket.SocketTransport;
import io.millrace.io.socket.Waiting;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One socket. Its handler is called on its poller; bytes are read and written by whoever owns it, on that thread. What goes
 * in is the {@link AprReader}'s, what goes out the {@link AprWriter}'s; here is what concerns both.
 *
 * <p>Closing it closes the socket, which is destroyed when no thread is inside a call with it any more; then the poller ends
 * what is pending and tells the handler, so that no buffer or file is given back that the kernel still reads from.
 */
final class AprConnection extends Linked<AprConnection> implements Connection, Waiting, Polled {

    private final SocketTransport transport;
    private final ConnectionList<AprConnection> neighbours;
    private final Poller poller;
    private final AprSocket socket;
    private final ConnectionInfo info;
    private final ConnectionLife life = new ConnectionLife(this);
    private final AprReader reader;
    private final AprWriter writer;
    private final IdleClock clock = new IdleClock(this);

    AprConnection(SocketTransport transport, ConnectionList<AprConnection> neighbours, Poller poller, AprSocket socket)
            throws IOException {
        this.transport = transport;
        this.neighbours = neighbours;
        this.poller = poller;
        this.socket = socket;
        info = new SocketInfo(socket.local(), socket.remote());
        reader = new AprReader(this, socket);
        writer = new AprWriter(this, socket);
    }

    @Override
    public @Nullable Chunk read() throws IOException {
        return reader.read(transport.buffers());
    }

    @Override
    public void awaitReadable() {
        clock.begin();
        long deadline = clock.deadline();
        reader.await();
        clock.watch(deadline);
    }

    @Override
    public void write(Payload payload, Completion completion) {
        writer.write(payload, completion);
    }

    @Override
    public void finish(Completion completion) {
        writer.finish(completion);
    }

    @Override
    public void install(ConnectionHandler next) {
        if (!life.install(next)) {
            onPoller(() -> life.tellClosed(next));
        } else if (transport.isStopping()) {
            life.tellDrain(); // whoever stopped it may have told the handler before this one
        }
    }

    @Override
    public void idleTimeout(Duration timeout) {
        clock.timeout(timeout);
    }

    @Override
    public boolean mayBlock() {
        return false;
    }

    @Override
    public ConnectionInfo info() {
        return info;
    }

    @Override
    public BufferPool buffers() {
        return transport.buffers();
    }

    @Override
    public void close(@Nullable Throwable cause) {
        if (life.close(cause)) {
            socket.close();
        }
    }

    @Override
    public void gone() {
        onPoller(this::closed);
    }

    private void closed() {
        poller.pollset().forget(socket);
        clock.stop();
        writer.fail(life.whyClosed());
        life.tellEnd();
        neighbours.remove(this);
        transport.left();
    }

    @Override
    public boolean isClosed() {
        return life.isClosed();
    }

    @Override
    public boolean isWaiting() {
        return reader.isWaiting() || writer.isWaiting();
    }

    @Override
    public void overdue() {
        onPoller(this::checkIdle);
    }

    @Override
    public Timers timers() {
        return transport.timers();
    }

    /** A direction has ended by itself. With both ended nothing is left to do. */
    void directionEnded() {
        if (reader.isEnded() && writer.isFinished()) {
            close(null);
        }
    }

    /** Any thread. */
    void watch(int more, int less) {
        try {
            socket.watch(more, less);
        } catch (IOException impossible) { // the kernel is out of memory, or at a limit for epoll
            close(impossible);
        }
    }

    /** Sets a new connection going. On the poller, as all below. */
    void begin(Consumer<Connection> onAccept) {
        socket.join(poller.pollset(), this);
        try {
            onAccept.accept(this);
        } catch (Throwable thrown) {
            life.failed(thrown);
        }
    }

    @Override
    public void ready(int events) {
        if ((events & (AprSocket.READABLE | AprSocket.BROKEN)) != 0) {
            reader.ready();
        }
        if ((events & (AprSocket.WRITABLE | AprSocket.BROKEN)) != 0) {
            writer.ready();
        }
    }

    /** There is input, and the handler waited for it. */
    void onReadable() {
        life.tellReadable();
        if (!reader.isWaiting()) {
            poller.handedOver();
        }
    }

    private void checkIdle() {
        if (isClosed()) {
            return;
        }
        if (writer.isWaiting() && clock.isOver()) {
            close(new SocketTimeoutException("the peer took nothing of a write for too long"));
        } else if (reader.isWaiting() && clock.isOver() && reader.take()) {
            life.tellIdle();
        } else if (isWaiting()) {
            clock.watch(clock.deadline());
        }
    }

    /** An idle connection can close itself. */
    void drain() {
        life.tellDrain();
        if (!isClosed() && reader.take()) {
            onReadable();
        }
    }

    ConnectionLife life() {
        return life;
    }

    IdleClock clock() {
        return clock;
    }

    @SuppressWarnings("ReferenceEquality") // this very thread
    boolean isOn(Poller other) {
        return poller == other;
    }

    void onPoller(Runnable task) {
        poller.execute(task);
    }
}

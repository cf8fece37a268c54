package io.millrace.connector.nio2;

import io.millrace.io.TransportOptions;
import io.millrace.io.socket.AcceptSource;
import io.millrace.io.socket.SocketSettings;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The listening socket. While connections are in the backlog an accept completes at once; then one accept stays pending, and
 * the I/O thread on which it completes notifies the accept thread. A pending accept cannot be cancelled, so while the
 * acceptor pauses one connection may be accepted and kept here.
 */
final class Nio2AcceptSource
        implements AcceptSource<AsynchronousSocketChannel>,
                CompletionHandler<AsynchronousSocketChannel, @Nullable Void> {

    /** The result of an accept: exactly one of the two is set. */
    private record Arrival(
            @Nullable AsynchronousSocketChannel socket,
            @Nullable Throwable failure) {}

    private final SocketSettings settings;
    private final Executor thread;
    private final AsynchronousServerSocketChannel listening;
    private final SocketAddress address;
    private final AtomicReference<@Nullable Arrival> arrival = new AtomicReference<>();
    private volatile boolean pending;
    private volatile boolean closed;
    private Runnable listener = () -> {};

    /** The accept thread, while it is inside a call of accept. */
    private volatile @Nullable Thread accepting;

    /** Binds. */
    Nio2AcceptSource(SocketAddress wanted, TransportOptions options, IoGroup group) throws IOException {
        settings = new SocketSettings(options);
        thread = group.acceptor();
        listening = AsynchronousServerSocketChannel.open(group.channels());
        try {
            settings.listen(listening, wanted, listening::bind);
            address = listening.getLocalAddress();
        } catch (IOException | RuntimeException failed) {
            listening.close();
            throw failed;
        }
    }

    @Override
    public SocketAddress address() {
        return address;
    }

    @Override
    public void open(Runnable onArrival) {
        listener = onArrival;
    }

    @Override
    public void watch(boolean wanted) {
        // the pending accept watches
    }

    @Override
    public @Nullable AsynchronousSocketChannel accept() throws IOException {
        boolean wait = pending;
        Arrival result = arrival.getAndSet(null);
        if (result == null && !wait) {
            startAccept();
            result = arrival.getAndSet(null);
        }
        if (result == null) {
            return null;
        }
        if (result.failure != null) {
            throw result.failure instanceof IOException known ? known : new IOException(result.failure);
        }
        return result.socket;
    }

    private void startAccept() {
        pending = true;
        accepting = Thread.currentThread();
        listening.accept(null, this);
        accepting = null;
    }

    @Override
    public void completed(AsynchronousSocketChannel socket, @Nullable Void none) {
        arrived(new Arrival(socket, null));
    }

    @Override
    public void failed(Throwable why, @Nullable Void none) {
        arrived(new Arrival(null, why));
    }

    private void arrived(Arrival result) {
        arrival.set(result);
        pending = false;
        if (closed) {
            discard();
        } else if (!Thread.currentThread().equals(accepting)) {
            thread.execute(listener);
        }
    }

    @Override
    public void configure(AsynchronousSocketChannel accepted) throws IOException {
        settings.configure(accepted, accepted.getRemoteAddress());
    }

    @Override
    public void close() {
        closed = true;
        try {
            listening.close();
        } catch (IOException broken) {
            // closed all the same
        }
        discard();
    }

    /** Closes a connection that was accepted and not yet passed on. */
    private void discard() {
        Arrival last = arrival.getAndSet(null);
        if (last != null && last.socket != null) {
            try {
                last.socket.close();
            } catch (IOException broken) {
                // closed all the same
            }
        }
    }
}

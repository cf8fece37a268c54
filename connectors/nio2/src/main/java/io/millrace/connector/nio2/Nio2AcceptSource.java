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
 * The listening socket. As long as there is somebody accepting is done at once; then one accept stays pending, and the I/O
 * thread on which it ends tells the acceptor's. It can't be called back, so while the acceptor pauses one connection may be
 * accepted that waits here.
 */
final class Nio2AcceptSource
        implements AcceptSource<AsynchronousSocketChannel>,
                CompletionHandler<AsynchronousSocketChannel, @Nullable Void> {

    /** How an accept ended: one of the two. */
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
    private Runnable somebody = () -> {};

    /** The acceptor's thread, while it asks. */
    private volatile @Nullable Thread asking;

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
    public void open(Runnable whenSomebody) {
        somebody = whenSomebody;
    }

    @Override
    public void watch(boolean wanted) {
        // what is pending watches
    }

    @Override
    public @Nullable AsynchronousSocketChannel accept() throws IOException {
        boolean wait = pending;
        Arrival came = arrival.getAndSet(null);
        if (came == null && !wait) {
            ask();
            came = arrival.getAndSet(null);
        }
        if (came == null) {
            return null;
        }
        if (came.failure != null) {
            throw came.failure instanceof IOException known ? known : new IOException(came.failure);
        }
        return came.socket;
    }

    private void ask() {
        pending = true;
        asking = Thread.currentThread();
        listening.accept(null, this);
        asking = null;
    }

    @Override
    public void completed(AsynchronousSocketChannel socket, @Nullable Void none) {
        arrived(new Arrival(socket, null));
    }

    @Override
    public void failed(Throwable why, @Nullable Void none) {
        arrived(new Arrival(null, why));
    }

    private void arrived(Arrival came) {
        arrival.set(came);
        pending = false;
        if (closed) {
            discard();
        } else if (!Thread.currentThread().equals(asking)) {
            thread.execute(somebody);
        }
    }

    @Override
    public void configure(AsynchronousSocketChannel accepted) throws IOException {
        settings.configure(accepted);
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

    /** Whoever came is not served any more. */
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

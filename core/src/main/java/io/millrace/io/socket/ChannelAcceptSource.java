package io.millrace.io.socket;

import io.millrace.io.TransportOptions;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/** A listening {@code java.nio} socket. */
public final class ChannelAcceptSource implements AcceptSource<SocketChannel>, SelectorListener {

    private final SocketSettings settings;
    private final ServerSocketChannel listening;
    private final SelectorLoop loop;
    private final SocketAddress address;
    private Runnable onPending = () -> {};
    private @Nullable SelectionKey key;

    /**
     * Wraps a bound channel.
     *
     * @param listening is closed if this constructor fails
     * @param loop the loop on whose thread connections are accepted
     */
    public ChannelAcceptSource(ServerSocketChannel listening, TransportOptions options, SelectorLoop loop)
            throws IOException {
        settings = new SocketSettings(options);
        this.listening = listening;
        this.loop = loop;
        try {
            address = listening.getLocalAddress();
            listening.configureBlocking(false);
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
    public void open(Runnable whenPending) throws IOException {
        onPending = whenPending;
        key = loop.register(listening, this);
    }

    @Override
    public void watch(boolean wanted) {
        SelectionKey current = key;
        if (current != null) {
            current.interestOps(wanted ? SelectionKey.OP_ACCEPT : 0);
        }
    }

    @Override
    public void ready(int operations) {
        watch(false); // until the acceptor calls watch again
        onPending.run();
    }

    /** The acceptor's next attempt finds that the key is cancelled. */
    @Override
    public void unregistered(Throwable cause) {
        SelectionKey current = key;
        if (current != null) {
            current.cancel();
        }
        onPending.run();
    }

    @Override
    public @Nullable SocketChannel accept() throws IOException {
        return listening.accept();
    }

    @Override
    public void configure(SocketChannel accepted) throws IOException {
        accepted.configureBlocking(false);
        settings.configure(accepted, accepted.getRemoteAddress());
    }

    @Override
    public void close() {
        try {
            listening.close();
        } catch (IOException broken) {
            // it is closed nevertheless
        }
        loop.releaseClosed();
    }
}

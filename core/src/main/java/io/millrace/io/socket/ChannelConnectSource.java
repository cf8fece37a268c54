package io.millrace.io.socket;

import io.millrace.io.TransportOptions;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/** Connects {@code java.nio} sockets, including Unix domain sockets, with a {@link SelectorLoop}. */
public final class ChannelConnectSource implements ConnectSource<SocketChannel> {

    private final SocketSettings settings;
    private final SelectorLoop loop;

    /** Connects on the thread of this loop. */
    public ChannelConnectSource(TransportOptions options, SelectorLoop loop) {
        settings = new SocketSettings(options);
        this.loop = loop;
    }

    @Override
    public Attempt connect(SocketAddress to, Outcome<? super SocketChannel> outcome) throws IOException {
        SocketChannel channel = to instanceof UnixDomainSocketAddress
                ? SocketChannel.open(StandardProtocolFamily.UNIX)
                : SocketChannel.open();
        boolean begun = false;
        try {
            channel.configureBlocking(false);
            settings.configureOutgoing(channel);
            Connecting attempt = new Connecting(channel, outcome);
            attempt.begin(to);
            begun = true;
            return attempt;
        } finally {
            if (!begun) {
                close(channel);
            }
        }
    }

    private void close(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException broken) {
            // it is closed nevertheless
        }
        loop.releaseClosed();
    }

    /** A connection attempt. */
    private final class Connecting implements Attempt, SelectorListener {

        private final SocketChannel channel;
        private final Outcome<? super SocketChannel> outcome;
        private @Nullable SelectionKey key;
        private boolean over;

        Connecting(SocketChannel channel, Outcome<? super SocketChannel> outcome) {
            this.channel = channel;
            this.outcome = outcome;
        }

        void begin(SocketAddress to) throws IOException {
            if (channel.connect(to)) { // as Unix domain sockets do
                loop.execute(this::connected);
                return;
            }
            SelectionKey registered = loop.register(channel, this);
            key = registered;
            loop.arm(registered, SelectionKey.OP_CONNECT);
        }

        @Override
        public void ready(int operations) {
            if (over) {
                return;
            }
            try {
                if (channel.finishConnect()) {
                    loop.execute(this::unregister);
                }
            } catch (IOException refused) {
                failed(refused);
            }
        }

        /**
         * The channel is registered again by the thread that will poll it, possibly with this loop's selector, which must
         * have removed the old key before; it does so in its next selection.
         */
        private void unregister() {
            SelectionKey registered = key;
            if (registered != null) {
                registered.cancel();
            }
            loop.execute(this::connected);
        }

        private void connected() {
            if (!over) {
                over = true;
                outcome.connected(channel);
            }
        }

        @Override
        public void unregistered(Throwable cause) {
            if (!over) {
                failed(cause);
            }
        }

        private void failed(Throwable cause) {
            over = true;
            close(channel);
            outcome.failed(cause);
        }

        @Override
        public void abandon() {
            if (!over) {
                over = true;
                close(channel);
            }
        }
    }
}

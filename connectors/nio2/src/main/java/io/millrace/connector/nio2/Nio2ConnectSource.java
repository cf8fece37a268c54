package io.millrace.connector.nio2;

import io.millrace.io.TransportOptions;
import io.millrace.io.socket.ConnectSource;
import io.millrace.io.socket.SocketSettings;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;
import org.jspecify.annotations.Nullable;

/** Connects asynchronous channels. Attempts complete on any thread; outcomes are reported on the accept thread. */
final class Nio2ConnectSource implements ConnectSource<AsynchronousSocketChannel> {

    private final SocketSettings settings;
    private final IoGroup group;

    Nio2ConnectSource(TransportOptions options, IoGroup group) {
        settings = new SocketSettings(options);
        this.group = group;
    }

    @Override
    public Attempt connect(SocketAddress to, Outcome<? super AsynchronousSocketChannel> outcome) throws IOException {
        AsynchronousSocketChannel channel = AsynchronousSocketChannel.open(group.channels());
        boolean begun = false;
        try {
            settings.configureOutgoing(channel);
            Connecting attempt = new Connecting(channel, outcome);
            channel.connect(to, null, attempt);
            begun = true;
            return attempt;
        } finally {
            if (!begun) {
                close(channel);
            }
        }
    }

    private static void close(AsynchronousSocketChannel channel) {
        try {
            channel.close();
        } catch (IOException broken) {
            // closed all the same
        }
    }

    private final class Connecting implements Attempt, CompletionHandler<@Nullable Void, @Nullable Void> {

        private final AsynchronousSocketChannel channel;
        private final Outcome<? super AsynchronousSocketChannel> outcome;

        /** Confined to the accept thread. */
        private boolean over;

        Connecting(AsynchronousSocketChannel channel, Outcome<? super AsynchronousSocketChannel> outcome) {
            this.channel = channel;
            this.outcome = outcome;
        }

        @Override
        public void completed(@Nullable Void none, @Nullable Void noAttachment) {
            group.acceptor().execute(() -> end(null));
        }

        @Override
        public void failed(Throwable cause, @Nullable Void noAttachment) {
            group.acceptor().execute(() -> end(cause));
        }

        private void end(@Nullable Throwable failure) {
            if (over) {
                return;
            }
            over = true;
            if (failure == null) {
                outcome.connected(channel);
            } else {
                close(channel);
                outcome.failed(failure);
            }
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

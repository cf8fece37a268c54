package io.millrace;

import io.millrace.io.Connection;
import io.millrace.io.Transport;
import io.millrace.io.TransportOptions;
import io.millrace.io.TransportProvider;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** A transport without connections, which records the calls of its methods. */
final class JournalTransport implements Transport {

    /** Fails as if the address were in use. */
    static final int TAKEN = 1;

    /** The name of one that cannot be stopped. */
    static final String BROKEN = "broken";

    private final Journal journal;
    private final String name;

    private JournalTransport(Journal journal, String name) {
        this.journal = journal;
        this.name = name;
    }

    static TransportProvider provider(Journal journal) {
        return new TransportProvider() {
            @Override
            public String name() {
                return "journal";
            }

            @Override
            public Transport create(TransportOptions options) {
                return new JournalTransport(journal, options.name());
            }
        };
    }

    @Override
    public SocketAddress bind(SocketAddress address, Consumer<Connection> onAccept) throws IOException {
        if (((InetSocketAddress) address).getPort() == TAKEN) {
            throw new IOException(address + " is taken");
        }
        journal.add("bind " + name);
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 40_000 + name.length());
    }

    @Override
    public void pause() {
        journal.add("pause " + name);
    }

    @Override
    public void resume() {
        journal.add("resume " + name);
    }

    @Override
    public CompletionStage<Void> stop(Duration grace) {
        journal.add("stop " + name + " " + grace.toSeconds());
        if (name.equals(BROKEN)) {
            throw new NoClassDefFoundError("for the test");
        }
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public int connections() {
        return 0;
    }
}

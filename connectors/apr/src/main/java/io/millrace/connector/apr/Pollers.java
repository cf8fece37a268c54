package io.millrace.connector.apr;

import io.millrace.io.socket.SharedThreads;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The pollers of a transport's I/O threads, and the one that accepts. */
final class Pollers implements SharedThreads.Threads {

    private final List<Poller> all = new ArrayList<>();
    private final Poller acceptor;

    Pollers(String name, int threads) throws IOException {
        boolean started = false;
        try {
            for (int i = 0; i < threads; i++) {
                all.add(new Poller(name + "-poller-" + (i + 1)));
            }
            acceptor = new Poller(name + "-acceptor");
            started = true;
        } finally {
            if (!started) {
                endAll();
            }
        }
    }

    /** The pollers that have connections. */
    List<Poller> all() {
        return all;
    }

    /** The accept thread's poller. It has no connections, so that new ones do not wait for others. */
    Poller acceptor() {
        return acceptor;
    }

    @Override
    public CompletionStage<Void> end() {
        return endAll().thenCompose(done -> acceptor.end());
    }

    private CompletionStage<Void> endAll() {
        return CompletableFuture.allOf(all.stream().map(Poller::end).toArray(CompletableFuture[]::new));
    }
}

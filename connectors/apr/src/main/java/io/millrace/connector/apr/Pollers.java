package io.millrace.connector.apr;

import io.millrace.io.socket.SharedThreads;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Some pollers, and one for whoever listens. */
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

    /** Those with connections. */
    List<Poller> all() {
        return all;
    }

    /** Has no connections, so that new ones do not wait for those. */
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

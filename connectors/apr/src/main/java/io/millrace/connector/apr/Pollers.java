package io.millrace.connector.apr;

import io.millrace.io.socket.SharedThreads;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Some pollers, which get connections in turn, so that a few are spread evenly too; and one for whoever listens. */
final class Pollers implements SharedThreads.Threads {

    private final List<Poller> all = new ArrayList<>();

    Pollers(String name, int threads) throws IOException {
        boolean started = false;
        try {
            for (int i = 0; i < threads; i++) {
                all.add(new Poller(name + "-poller-" + (i + 1)));
            }
            all.add(new Poller(name + "-acceptor"));
            started = true;
        } finally {
            if (!started) {
                end();
            }
        }
    }

    int count() {
        return all.size() - 1;
    }

    /** Has no connections, so that new ones do not wait for those. */
    Poller acceptor() {
        return all.get(all.size() - 1);
    }

    Poller get(int index) {
        return all.get(index);
    }

    @Override
    public CompletionStage<Void> end() {
        return CompletableFuture.allOf(all.stream().map(Poller::end).toArray(CompletableFuture[]::new));
    }
}

package io.millrace.connector.nio;

import io.millrace.io.IdleLoops;
import io.millrace.io.socket.SelectorLoop;
import io.millrace.io.socket.SharedThreads;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/** The selector loops of a transport: one for each I/O thread, and one that accepts. */
final class SelectorThreads implements SharedThreads.Threads {

    private final SelectorLoop acceptor;
    private final List<SelectorLoop> pollers = new ArrayList<>();

    /** Starts the threads. If one cannot be started, the others are stopped. */
    SelectorThreads(String name, int threads) throws IOException {
        acceptor = SelectorLoop.start(name + " Accept");
        boolean started = false;
        try {
            IdleLoops group = new IdleLoops();
            for (int number = 1; number <= threads; number++) {
                pollers.add(SelectorLoop.start(name + " I/O-" + number, group));
            }
            started = true;
        } finally {
            if (!started) {
                end();
            }
        }
    }

    List<SelectorLoop> pollers() {
        return pollers;
    }

    SelectorLoop acceptor() {
        return acceptor;
    }

    @Override
    public CompletionStage<Void> end() {
        CompletableFuture<?>[] ended = Stream.concat(Stream.of(acceptor), pollers.stream())
                .map(loop -> loop.end().toCompletableFuture())
                .toArray(CompletableFuture[]::new);
        return CompletableFuture.allOf(ended);
    }
}

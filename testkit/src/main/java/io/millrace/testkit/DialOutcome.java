package io.millrace.testkit;

import io.millrace.io.Connection;
import io.millrace.io.DialException;
import io.millrace.io.Dialer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** The outcome of one connection attempt: a connection with a {@link Probe}, or a failure. */
public final class DialOutcome implements Dialer.Listener {

    private final CompletableFuture<Probe> connected = new CompletableFuture<>();
    private final AtomicInteger calls = new AtomicInteger();
    private final Consumer<Probe> prepare;

    /** With a probe that discards input. */
    public DialOutcome() {
        this(probe -> {});
    }

    /** With a probe that is prepared before the connection is started. */
    public DialOutcome(Consumer<Probe> prepare) {
        this.prepare = prepare;
    }

    @Override
    public void onConnected(Connection connection) {
        calls.incrementAndGet();
        Probe probe = new Probe(connection);
        prepare.accept(probe);
        connection.install(probe);
        connected.complete(probe);
        probe.onReadable();
    }

    @Override
    public void onFailed(DialException failure) {
        calls.incrementAndGet();
        connected.completeExceptionally(failure);
    }

    /** Waits for the connection, and fails if there is none. */
    public Probe probe() throws Exception {
        return Deadline.await(connected);
    }

    /** Waits for the failure, and fails if there is none. */
    public DialException failure() throws Exception {
        Throwable failure = Deadline.await(connected.handle((probe, thrown) -> thrown));
        if (failure instanceof DialException expected) {
            return expected;
        }
        throw new AssertionError("connected, or failed otherwise", failure);
    }

    /** The number of calls; must be 1. */
    public int calls() {
        return calls.get();
    }
}

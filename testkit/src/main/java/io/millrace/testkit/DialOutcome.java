package io.millrace.testkit;

import io.millrace.io.Connection;
import io.millrace.io.DialException;
import io.millrace.io.Dialer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** How one dial ends: with a connection that a {@link Probe} has, or a failure. */
public final class DialOutcome implements Dialer.Listener {

    private final CompletableFuture<Probe> connected = new CompletableFuture<>();
    private final AtomicInteger calls = new AtomicInteger();
    private final Consumer<Probe> prepare;

    /** Its probe discards what it reads. */
    public DialOutcome() {
        this(probe -> {});
    }

    /** Its probe is prepared before it is set going. */
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

    /** Waits for the connection, which must come. */
    public Probe probe() throws Exception {
        return Deadline.await(connected);
    }

    /** Waits for the failure, which must come. */
    public DialException failure() throws Exception {
        Throwable failure = Deadline.await(connected.handle((probe, thrown) -> thrown));
        if (failure instanceof DialException expected) {
            return expected;
        }
        throw new AssertionError("connected, or failed otherwise", failure);
    }

    /** How often it was told; once is right. */
    public int calls() {
        return calls.get();
    }
}

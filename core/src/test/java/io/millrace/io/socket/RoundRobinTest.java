package io.millrace.io.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.io.BufferPool;
import io.millrace.io.Timers;
import io.millrace.io.TransportOptions;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Sockets that are distributed over threads … */
final class RoundRobinTest {

    private final Timers timers = new Timers("timers");
    private final ExecutorService acceptorThread = Executors.newSingleThreadExecutor();
    private final List<InPlace> threads = List.of(new InPlace(), new InPlace(), new InPlace());
    private final List<Integer> adopters = new ArrayList<>();
    private int closed;
    private Throwable failure = new IOException("planted by the test: the peer has gone");
    private final AtomicReference<@Nullable Acceptor> acceptor = new AtomicReference<>();
    private final AtomicReference<@Nullable RoundRobin<Closeable, InPlace>> roundRobin = new AtomicReference<>();
    private SocketTransport transport;

    @BeforeEach
    void bind() throws IOException {
        TransportOptions options = TransportOptions.defaults("test", new BufferPool(1 << 20), timers);
        transport = new SocketTransport(options, (mine, address, onAccept) -> {
            RoundRobin<Closeable, InPlace> sockets = new RoundRobin<>(threads, mine, this::adopt);
            Acceptor opened = new Acceptor(new Nobody(), options, acceptorThread, sockets.accepting(onAccept));
            roundRobin.set(sockets);
            acceptor.set(opened);
            return new Sockets<>(opened, sockets.groups(), List.of(), () -> CompletableFuture.completedFuture(null));
        });
        transport.bind(new InetSocketAddress(0), connection -> connection.close(null));
    }

    @AfterEach
    void stop() {
        Objects.requireNonNull(acceptor.get()).close();
        acceptorThread.shutdown();
        timers.close();
    }

    static Stream<Throwable> failures() {
        return Stream.of(
                new IOException("planted by the test: the peer has gone"),
                new IllegalStateException("planted by the test"),
                new NoClassDefFoundError("planted by the test"),
                new StackOverflowError("planted by the test"),
                new OutOfMemoryError("planted by the test: no direct memory"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void areClosedAndCountedOffIfNoThreadCanTakeThem(Throwable thrown) {
        failure = thrown;
        for (int i = 1; i <= 4; i++) {
            accept();
            assertEquals(i, closed);
            assertEquals(0, transport.connections());
        }
        assertEquals(List.of(0, 1, 2, 0), adopters);
    }

    /** The acceptor closes the socket and stops counting it: see {@link AdmissionTest}. */
    @Test
    void areLeftToTheAcceptorIfTheThreadTakesNoTask() {
        threads.get(0).refusal = new OutOfMemoryError("planted by the test: unable to create native thread");
        assertThrows(OutOfMemoryError.class, this::accept);
        accept();
        assertEquals(List.of(1), adopters, "it is the next thread's turn");
    }

    private void accept() {
        Objects.requireNonNull(acceptor.get()).gate().enter();
        Objects.requireNonNull(roundRobin.get()).adopt(() -> closed++, opened -> {}, failed -> {});
    }

    private PolledSocket adopt(Closeable socket, InPlace thread) throws IOException {
        adopters.add(threads.indexOf(thread));
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure instanceof RuntimeException unchecked) {
            throw unchecked;
        }
        throw new IOException(failure);
    }

    /** Runs tasks immediately. */
    private static final class InPlace implements PollingThread {

        private @Nullable Error refusal;

        @Override
        public void execute(Runnable task) {
            if (refusal != null) {
                throw refusal;
            }
            task.run();
        }

        @Override
        public void handedOver() {}
    }

    /** Accepts no connections. */
    private static final class Nobody implements AcceptSource<Closeable> {

        @Override
        public @Nullable Closeable accept() {
            return null;
        }

        @Override
        public void configure(Closeable socket) {}

        @Override
        public SocketAddress address() {
            return new InetSocketAddress(0);
        }

        @Override
        public void open(Runnable onPending) {}

        @Override
        public void watch(boolean wanted) {}

        @Override
        public void close() {}
    }
}

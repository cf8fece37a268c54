package io.millrace.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.io.Chunk;
import io.millrace.io.Connection;
import io.millrace.io.Transport;
import java.io.IOException;
import java.net.SocketException;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every transport survives what handlers throw: it ends one connection, and the others are served as before. */
interface FaultContract {

    TransportHarness harness();

    static Stream<Throwable> failures() {
        return Failures.all();
    }

    @ParameterizedTest
    @MethodSource("failures")
    @DiffersByTransport
    default void endsOneConnectionWhoseHandlerThrows(Throwable thrown) throws Exception {
        Transport transport = serveSecondBy(input -> Failures.sneak(thrown));
        RawClient good = harness().connect();
        harness().accepted();
        RawClient bad = harness().connect();
        Probe probe = harness().accepted();
        bad.send("x");
        bad.awaitClose();
        assertEquals(thrown, probe.awaitClosed());
        isServedAsBefore(transport, good);
    }

    @ParameterizedTest
    @MethodSource("failures")
    default void endsOneConnectionWhoseCompletionThrowsAtOnce(Throwable thrown) throws Exception {
        Transport transport = serveSecondBy(input -> {
            Chunk chunk = Objects.requireNonNull(input.read());
            chunk.release();
            input.write(new byte[] {'y'}, failure -> Failures.sneak(thrown));
        });
        RawClient good = harness().connect();
        harness().accepted();
        RawClient bad = harness().connect();
        Probe probe = harness().accepted();
        bad.send("x");
        assertEquals(thrown, probe.awaitClosed());
        isServedAsBefore(transport, good);
    }

    @ParameterizedTest
    @MethodSource("failures")
    default void endsOneConnectionWhoseCompletionThrowsLater(Throwable thrown) throws Exception {
        CountDownLatch written = new CountDownLatch(1);
        Transport transport = serveSecondBy(input -> {
            written.countDown();
            input.write(new byte[16 << 20], failure -> Failures.sneak(thrown));
        });
        RawClient good = harness().connect();
        harness().accepted();
        RawClient bad = harness().connect(4 * 1024);
        Probe probe = harness().accepted();
        bad.send("x");
        Deadline.await(written);
        bad.awaitClose();
        assertEquals(thrown, probe.awaitClosed());
        isServedAsBefore(transport, good);
    }

    @ParameterizedTest
    @MethodSource("failures")
    @DiffersByTransport
    default void endsOneConnectionThatCannotBeSetGoing(Throwable thrown) throws Exception {
        CountDownLatch first = new CountDownLatch(1);
        Transport transport = harness().accept(connection -> {
            if (first.getCount() > 0) {
                first.countDown();
                Failures.sneak(thrown);
            }
            echo(connection);
        });
        harness().connect().awaitClose();
        isServedAsBefore(transport, harness().connect());
    }

    @Test
    default void servesAsBeforeWhenThereIsMemoryAgain() throws Exception {
        Transport transport = harness().serve(Probe::echo);
        harness().refuseMemory(true);
        for (int i = 0; i < 20; i++) {
            sendIfPossible(harness().connect()).awaitClose();
        }
        Deadline.await("all to be counted off", () -> transport.connections() == 0);
        harness().refuseMemory(false);
        isServedAsBefore(transport, harness().connect());
    }

    private void isServedAsBefore(Transport transport, RawClient good) throws Exception {
        assertEquals("good", good.send("good").readText(4));
        assertEquals("new", harness().connect().send("new").readText(3));
        Deadline.await("the broken one to be counted off", () -> transport.connections() == 2);
    }

    /** Every connection echoes its input, except the second: it waits for input and then runs the action. */
    private Transport serveSecondBy(Consumer<Probe> action) throws IOException {
        AtomicInteger accepted = new AtomicInteger();
        return harness().serve((connection, probe) -> {
            if (accepted.getAndIncrement() == 1) {
                probe.onReadable(begin -> {
                    probe.onReadable(action);
                    connection.awaitReadable();
                });
            } else {
                probe.onReadable(Probe::echo);
            }
        });
    }

    private static RawClient sendIfPossible(RawClient client) throws IOException {
        try {
            return client.send("x");
        } catch (SocketException closedAlready) {
            return client;
        }
    }

    private static void echo(Connection connection) {
        Probe probe = new Probe(connection).onReadable(Probe::echo);
        connection.install(probe);
        probe.onReadable();
    }
}

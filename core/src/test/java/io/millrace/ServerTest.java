package io.millrace;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.io.PortInUseException;
import io.millrace.io.Timers;
import io.millrace.io.TransportOptions;
import io.millrace.workers.Workers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A server … */
class ServerTest {

    private final Journal journal = new Journal();

    private ServerBuilder server() {
        return Server.builder().transport(JournalTransport.provider(journal));
    }

    private static Connector connector(String name, int port) {
        return Connector.builder().name(name).transport("journal").port(port).build();
    }

    private Application application(String path) {
        return new JournalApplication(journal, path);
    }

    @Test
    void startsApplicationsBeforeItListensAndStopsThemAfterTheLastConnection() throws IOException {
        Server server = server().connector(connector("a", 0))
                .connector(connector("bb", 0))
                .application(application("/one"))
                .application(application("/two"))
                .start();
        assertEquals(List.of(40_001, 40_002), server.ports());
        assertEquals(40_001, server.port());
        assertTrue(server.isRunning());
        server.stop(Duration.ofSeconds(7));
        assertFalse(server.isRunning());
        assertEquals(
                List.of(
                        "start /one",
                        "start /two",
                        "bind a",
                        "bind bb",
                        "stop a 7",
                        "stop bb 7",
                        "stop /two",
                        "stop /one"),
                journal.lines());
    }

    @Test
    void listensBeforeItsApplicationsStartIfToldToButAcceptsNobody() throws IOException {
        Connector early = Connector.builder()
                .name("early")
                .transport("journal")
                .port(0)
                .with(ConnectorOptions.BIND_ON_INIT, true)
                .build();
        server().connector(connector("late", 0))
                .connector(early)
                .application(application("/one"))
                .start()
                .stop(Duration.ZERO);
        assertEquals(
                List.of("bind early", "pause early", "start /one", "bind late", "resume early"),
                journal.lines().subList(0, 5));
    }

    @Test
    void leavesNothingRunningWhenAnAddressIsTaken() {
        ServerBuilder settings = server().connector(connector("free", 0))
                .connector(connector("taken", JournalTransport.TAKEN))
                .application(application("/one"));
        IOException failure = assertThrows(IOException.class, settings::start);
        assertTrue(String.valueOf(failure.getMessage()).contains(":1"), failure.getMessage());
        assertEquals(
                List.of("start /one", "bind free", "stop free 0", "stop taken 0", "stop /one"),
                journal.lines().stream().filter(line -> !line.isEmpty()).toList());
    }

    @Test
    void doesNotStartItsApplicationsIfItsPortIsInUse() throws IOException {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Connector connector = Connector.builder()
                    .transport("journal")
                    .address("127.0.0.1")
                    .port(other.getLocalPort())
                    .build();
            ServerBuilder settings = server().connector(connector).application(application("/one"));
            PortInUseException failure = assertThrows(PortInUseException.class, settings::start);
            assertEquals(other.getLocalPort(), failure.port());
            assertEquals(other.getLocalSocketAddress(), failure.address());
            String message = String.valueOf(failure.getMessage());
            assertTrue(message.startsWith("Cannot listen on 127.0.0.1:" + other.getLocalPort() + ": "), message);
            assertTrue(message.contains("choose another port, or stop "), message);
        }
        assertEquals(
                List.of("stop journal-" + 0 + " 0"),
                journal.lines().stream()
                        .map(line -> line.replaceAll("journal-\\d+", "journal-0"))
                        .toList());
    }

    @Test
    void goesOnWithoutAnApplicationThatDoesNotStart() throws IOException {
        Application bad = application("/bad");
        try (Server server = server().connector(connector("a", 0))
                .application(bad)
                .application(application("/good"))
                .start()) {
            assertEquals(1, server.failures().size());
            assertInstanceOf(IllegalStateException.class, server.failures().get(bad));
        }
        assertEquals(List.of("start /bad", "start /good", "bind a", "stop a 10", "stop /good"), journal.lines());
    }

    @Test
    void doesNotStartWithoutIfToldSo() {
        ServerBuilder settings = server().connector(connector("a", 0))
                .failFast(true)
                .application(application("/good"))
                .application(application("/bad"));
        IllegalStateException failure = assertThrows(IllegalStateException.class, settings::start);
        assertEquals("The application at \"/bad\" failed to start", failure.getMessage());
        assertEquals(List.of("start /good", "start /bad", "stop a 0", "stop /good"), journal.lines());
    }

    @Test
    void stopsTheOthersWhenAnApplicationFailsToStop() throws IOException {
        server().connector(connector("a", 0))
                .application(application("/one"))
                .application(application("/grumpy"))
                .start()
                .close();
        assertTrue(journal.lines().contains("stop /one"), journal.lines().toString());
    }

    @Test
    void stopsOnce() throws IOException {
        Server server = server().connector(connector("a", 0)).start();
        server.close();
        server.stop(Duration.ZERO);
        server.awaitStop();
        assertEquals(List.of("bind a", "stop a 10"), journal.lines());
    }

    @Test
    void refusesAnEventLoopThatTheTransportDoesNotHave() {
        ServerBuilder settings = server().connector(Connector.builder()
                .name("a")
                .transport("journal")
                .port(0)
                .with(TransportOptions.LOOP, "xnio")
                .build());
        var failure = assertThrows(IllegalArgumentException.class, settings::start);
        assertEquals(
                "The transport journal has no event loop \"xnio\"; it offers no choice: omit loop",
                failure.getMessage());
    }

    @Test
    void saysWhichTransportsThereAreAndWhatToAdd() {
        Connector odd = Connector.builder().transport("nio3").build();
        ServerBuilder settings = server().connector(odd);
        var failure = assertThrows(IllegalArgumentException.class, settings::start);
        assertEquals(
                "There is no transport \"nio3\"; available: journal."
                        + " Add the artifact io.millrace:millrace-connector-nio3 to the class path.",
                failure.getMessage());
    }

    @Test
    void startsTheApplicationsOfEveryHost() throws IOException {
        VirtualHost shop = VirtualHost.named("shop.example", "*.shop.example")
                .application(application("/shop"))
                .handler(exchange -> exchange.response().status(204));
        server().connector(connector("a", 0))
                .virtualHost(shop)
                .application(application("/default"))
                .start()
                .close();
        assertEquals(List.of("start /shop", "start /default"), journal.lines().subList(0, 2));
    }

    @Test
    void complainsAboutADefaultHostThatIsNotThere() {
        ServerBuilder settings = server().virtualHost(VirtualHost.named("a")).defaultHost("b");
        var failure = assertThrows(IllegalArgumentException.class, settings::start);
        assertEquals("The default host is \"b\", but there are only [a]", failure.getMessage());
    }

    @Test
    void complainsAboutAHandlerThatNothingReaches() {
        ServerBuilder settings =
                server().virtualHost(VirtualHost.named("a")).defaultHost("A").application(application("/lost"));
        assertThrows(IllegalArgumentException.class, settings::start);
    }

    @Test
    void startsItsApplicationsAndBindsItsPortsLaterIfPrepared() throws IOException {
        Server.Prepared prepared = server().connector(connector("a", 0))
                .application(application("/one"))
                .prepare();
        assertEquals(List.of("start /one"), journal.lines());
        prepared.listen().close();
        assertEquals(List.of("start /one", "bind a", "stop a 10", "stop /one"), journal.lines());
        assertThrows(IllegalStateException.class, prepared::listen);
    }

    @Test
    void keepsItsApplicationsRunningIfAPreparedPortIsInUseUntilItIsClosed() throws IOException {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Server.Prepared prepared = server().connector(connector("free", 0))
                    .connector(Connector.builder()
                            .name("taken")
                            .transport("journal")
                            .address("127.0.0.1")
                            .port(other.getLocalPort())
                            .build())
                    .application(application("/one"))
                    .prepare();
            assertThrows(PortInUseException.class, prepared::listen);
            assertEquals(List.of("start /one", "bind free", "stop free 0", "stop taken 0"), journal.lines());
            prepared.close();
        }
        assertEquals("stop /one", journal.lines().get(journal.lines().size() - 1));
    }

    @Test
    void stopsTheApplicationsOfAPreparedServerThatIsNotNeeded() {
        server().connector(connector("a", 0))
                .application(application("/one"))
                .prepare()
                .close();
        assertEquals(List.of("start /one", "stop a 10", "stop /one"), journal.lines());
    }

    @Test
    void drainsWithoutStoppingItsApplications() throws IOException {
        Server server = server().connector(connector("a", 0))
                .application(application("/one"))
                .start();
        CompletableFuture<Server.Drained> drained = server.drain().toCompletableFuture();
        assertFalse(server.isRunning());
        assertEquals(Server.Drained.IDLE, drained.join());
        assertEquals("start /one", journal.lines().get(0));
        assertFalse(journal.lines().contains("stop /one"));
        server.close();
        assertTrue(journal.lines().contains("stop /one"));
        assertEquals(Server.Drained.IDLE, server.drain().toCompletableFuture().join());
    }

    @Test
    void saysThatNothingWasWaitedForIfItWasStoppedBeforeItIsDrained() throws IOException {
        Server server = server().connector(connector("a", 0)).start();
        server.stop(Duration.ZERO);
        assertEquals(
                Server.Drained.IMMEDIATE, server.drain().toCompletableFuture().join());
    }

    @Test
    void asksAgainForAWorkerWhenItIsToDrain() throws IOException {
        Semaphore asked = new Semaphore(0);
        AtomicBoolean full = new AtomicBoolean(true);
        try (Timers timers = new Timers("test-drain");
                Server server = server().connector(connector("a", 0))
                        .timers(timers)
                        .workers(workers(() -> {
                            asked.release();
                            if (full.get()) {
                                throw new RejectedExecutionException("no thread is free");
                            }
                        }))
                        .drainDelay(Duration.ofMinutes(1))
                        .start()) {
            CompletableFuture<Server.Drained> drained = server.drain().toCompletableFuture();
            timers.advance(Duration.ofMinutes(1));
            asked.acquireUninterruptibly();
            assertFalse(drained.isDone());
            full.set(false);
            timers.advance(Duration.ofSeconds(2));
            assertEquals(Server.Drained.IDLE, drained.orTimeout(10, SECONDS).join());
        }
    }

    @Test
    void endsADrainThatStillWaitsWhenItIsStopped() throws IOException {
        AtomicInteger asked = new AtomicInteger();
        try (Timers timers = new Timers("test-drain")) {
            Server server = server().connector(connector("a", 0))
                    .timers(timers)
                    .workers(workers(asked::incrementAndGet))
                    .drainDelay(Duration.ofMinutes(1))
                    .start();
            CompletableFuture<Server.Drained> drained = server.drain().toCompletableFuture();
            server.stop(Duration.ofSeconds(5));
            assertEquals(Server.Drained.IDLE, drained.orTimeout(10, SECONDS).join());
            CountDownLatch later = new CountDownLatch(1);
            timers.schedule(later::countDown, Duration.ofMinutes(2));
            timers.advance(Duration.ofMinutes(3));
            assertDoesNotThrow(() -> assertTrue(later.await(10, SECONDS)));
            assertEquals(0, asked.get());
        }
    }

    @Test
    void drainsAndStopsTheOtherConnectorsIfOneCannotBeStopped() throws IOException {
        Server server = server().connector(connector(JournalTransport.BROKEN, 0))
                .connector(connector("b", 0))
                .application(application("/one"))
                .start();
        CompletableFuture<Server.Drained> drained = server.drain().toCompletableFuture();
        assertTrue(journal.lines().stream().anyMatch(line -> line.startsWith("stop b ")));
        assertFalse(drained.isDone(), "the connections of one are open");
        server.stop(Duration.ofSeconds(7));
        assertEquals(
                Server.Drained.REQUESTS_ACTIVE, drained.orTimeout(10, SECONDS).join());
        assertTrue(journal.lines().containsAll(List.of("stop b 7", "stop /one")));
    }

    private static boolean joined(Thread thread) throws InterruptedException {
        thread.join(20_000);
        return !thread.isAlive();
    }

    private static Workers workers(Runnable asked) {
        return new Workers() {
            @Override
            public boolean isWorker() {
                return false;
            }

            @Override
            public void execute(Runnable task) {
                asked.run();
                task.run();
            }
        };
    }

    /** SIGTERM is the usual way; frameworks interrupt the thread. */
    @Test
    void grantsRunningRequestsTheirTimeWhenItsThreadIsInterrupted() throws Exception {
        AtomicBoolean interrupted = new AtomicBoolean(true);
        AtomicBoolean restored = new AtomicBoolean();
        Thread main = new Thread(() -> {
            try {
                server().connector(connector("a", 0)).run();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            restored.set(Thread.currentThread().isInterrupted());
        });
        journal.onAdd(line -> {
            if (line.startsWith("bind ")) {
                main.interrupt();
            } else if (line.startsWith("stop ")) {
                interrupted.set(Thread.currentThread().isInterrupted());
            }
        });
        main.start();
        assertTrue(joined(main));
        assertFalse(interrupted.get());
        assertTrue(restored.get());
        assertTrue(journal.lines().contains("stop a 30"));
    }
}

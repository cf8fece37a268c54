package io.millrace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.NonBlockingHandler;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The shutdown hook of a server … */
@Timeout(60)
class ShutdownHookTest {

    private final Journal journal = new Journal();

    private ServerBuilder server() {
        return Server.builder()
                .transport(JournalTransport.provider(journal))
                .connector(Connector.builder()
                        .name("a")
                        .transport("journal")
                        .port(0)
                        .build());
    }

    @Test
    void stopsTheServerWithItsGracePeriod() throws IOException {
        Server server =
                server().application(new JournalApplication(journal, "/one")).start();
        new ShutdownHook(server::stop, Duration.ofSeconds(7), TimeUnit.MINUTES.toNanos(1)).run();
        assertFalse(server.isRunning());
        assertEquals(List.of("start /one", "bind a", "stop a 7", "stop /one"), journal.lines());
    }

    /** As one that calls System.exit when it is stopped, and so waits for the hook. */
    @Test
    void doesNotWaitForeverForAnApplicationThatNeverStops() throws Exception {
        CompletableFuture<Void> release = new CompletableFuture<>();
        Server server = server().application(new NeverStopping(release)).start();
        new ShutdownHook(server::stop, Duration.ZERO, TimeUnit.MILLISECONDS.toNanos(50)).run();
        assertFalse(server.isRunning());
        assertFalse(release.isDone());
        release.complete(null);
        server.awaitStop();
    }

    @Test
    void waitsAtMostForDrainDelayGraceAndTheApplications() {
        assertEquals(
                TimeUnit.SECONDS.toNanos(5 + 30 + 35),
                ShutdownHook.limitNanos(Duration.ofSeconds(5), Duration.ofSeconds(30)));
        assertTrue(ShutdownHook.limitNanos(Duration.ofSeconds(Long.MAX_VALUE), Duration.ofMillis(Long.MAX_VALUE)) > 0);
    }

    /** The JVM keeps its hooks until it ends, and a hook keeps its server. */
    @Test
    void isRemovedWhenTheServerIsStoppedOtherwise() throws Exception {
        WeakReference<Server> stopped = startAndStop();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (stopped.get() != null && System.nanoTime() - deadline < 0) {
            System.gc();
        }
        assertNull(stopped.get());
    }

    private WeakReference<Server> startAndStop() throws IOException {
        Server server = server().stopAtShutdown(Duration.ofSeconds(1)).start();
        server.stop(Duration.ZERO);
        return new WeakReference<>(server);
    }

    private record NeverStopping(CompletableFuture<Void> release) implements Application {

        @Override
        public String contextPath() {
            return "/never";
        }

        @Override
        public HttpHandler start(ServerContext server) {
            return (NonBlockingHandler) exchange -> exchange.response().status(204);
        }

        @Override
        public void stop() {
            release.join();
        }
    }
}

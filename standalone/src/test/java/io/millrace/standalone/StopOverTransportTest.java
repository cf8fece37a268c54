package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Connector;
import io.millrace.Server;
import io.millrace.ServerBuilder;
import io.millrace.exchange.HttpHandler;
import io.millrace.handler.Responses;
import io.millrace.testkit.Deadline;
import io.millrace.testkit.Transports;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server over all transports of this installation, which are all only here: {@code stop(grace)} … */
final class StopOverTransportTest {

    private static final Duration DELAY = Duration.ofSeconds(5);
    private static final Duration GRACE = Duration.ofSeconds(5);

    @TempDir
    private Path files = Path.of("");

    private final CountDownLatch entered =
            new CountDownLatch(2 * Transports.installed().size());

    @Test
    void tellsWaitsFinishesAndCutsOnEveryTransport() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        try (Server server = start(over);
                StoppedClients clients = new StoppedClients(server.ports(), files)) {
            Deadline.await(entered);
            Thread stopping = new Thread(() -> server.stop(GRACE));
            stopping.start();
            Deadline.await("the server to know", () -> !server.isRunning());
            clients.areServedAlthoughItIsDown();
            clients.areAloneAndLeaveIfTheyAreIdle();
            assertTrue(stopping.isAlive(), "requests are running");
            clients.getWhatEndsInTime();
            clients.areCut();
            over.countDown();
            stopping.join(Deadline.DEFAULT.toMillis());
            assertFalse(stopping.isAlive());
        }
    }

    private Server start(CountDownLatch over) throws Exception {
        HttpHandler handler = exchange -> {
            String target = exchange.request().target();
            if (target.startsWith("/hold")) {
                entered.countDown();
                Path file = Path.of(target.substring(target.indexOf('=') + 1));
                Deadline.await("a file", () -> Files.exists(file) || over.getCount() == 0);
            }
            Responses.text(exchange, 200, "held");
        };
        ServerBuilder settings =
                Server.builder().health("/health").drainDelay(DELAY).handler(handler);
        for (String transport : Transports.installed()) {
            settings.connector(Connector.builder()
                    .transport(transport)
                    .name(transport)
                    .port(0)
                    .build());
        }
        return settings.start();
    }
}

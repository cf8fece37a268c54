package io.millrace.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Connector;
import io.millrace.Server;
import io.millrace.ServerBuilder;
import io.millrace.exchange.HttpHandler;
import io.millrace.handler.Responses;
import io.millrace.testkit.Deadline;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server over NIO that is stopped … */
@Timeout(60)
class StoppingTest {

    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch finish = new CountDownLatch(1);

    private final HttpHandler slow = exchange -> {
        entered.countDown();
        finish.await(20, TimeUnit.SECONDS);
        Responses.text(exchange, 200, "done");
    };

    private static CompletableFuture<HttpResponse<String>> ask(Client client) {
        CompletableFuture<HttpResponse<String>> answer = new CompletableFuture<>();
        new Thread(() -> {
                    try {
                        answer.complete(client.get("/"));
                    } catch (IOException | InterruptedException e) {
                        answer.completeExceptionally(e);
                    }
                })
                .start();
        return answer;
    }

    private static Thread stop(Server server, Duration grace) {
        Thread thread = new Thread(() -> server.stop(grace));
        thread.start();
        return thread;
    }

    @Test
    void finishesWhatIsRunningAndAcceptsNothingNew() throws Exception {
        Server server = Server.builder().port(0).handler(slow).start();
        int port = server.port();
        CompletableFuture<HttpResponse<String>> running = ask(new Client(server));
        assertTrue(entered.await(20, TimeUnit.SECONDS));
        Thread stopping = stop(server, Duration.ofSeconds(20));
        Client.awaitRefusal(port);
        finish.countDown();
        HttpResponse<String> answer = running.get(20, TimeUnit.SECONDS);
        assertEquals("done", answer.body());
        assertEquals("close", answer.headers().firstValue("Connection").orElse(""));
        stopping.join();
    }

    @Test
    void cutsWhatIsNotFinishedAfterTheGrace() throws Exception {
        Server server = Server.builder().port(0).handler(slow).start();
        CompletableFuture<HttpResponse<String>> running = ask(new Client(server));
        assertTrue(entered.await(20, TimeUnit.SECONDS));
        server.stop(Duration.ofMillis(50));
        assertThrows(Exception.class, () -> running.get(20, TimeUnit.SECONDS));
        finish.countDown();
    }

    @Test
    void closesIdleConnectionsAtOnce() throws Exception {
        Server server = Server.builder().port(0).handler(slow).start();
        finish.countDown();
        assertEquals("done", new Client(server).get("/").body());
        long begin = System.nanoTime();
        server.stop(Duration.ofSeconds(30));
        assertTrue(System.nanoTime() - begin < TimeUnit.SECONDS.toNanos(15));
    }

    @Test
    void isDownButServesUntilTheDrainDelayIsOver() throws Exception {
        Server server = Server.builder()
                .port(0)
                .health("/health")
                .drainDelay(Duration.ofSeconds(30))
                .handler(exchange -> Responses.text(exchange, 200, "served"))
                .start();
        Client client = new Client(server);
        assertEquals(200, client.get("/health").statusCode());
        Thread stopping = stop(server, Duration.ofSeconds(20));
        while (server.isRunning()) {
            Thread.onSpinWait();
        }
        assertEquals(503, client.get("/health").statusCode());
        assertEquals("served", new Client(server).get("/").body());
        stopping.interrupt();
        stopping.join();
    }

    @Test
    void leavesNoThreadsBehindWhenAPortIsTaken() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Connector free = Connector.builder().name("left-free").port(0).build();
            Connector occupied = Connector.builder()
                    .name("left-taken")
                    .address("127.0.0.1")
                    .port(taken.getLocalPort())
                    .build();
            ServerBuilder settings =
                    Server.builder().connector(free).connector(occupied).handler(slow);
            IOException failure = assertThrows(IOException.class, settings::start);
            assertTrue(String.valueOf(failure.getMessage()).contains("127.0.0.1:" + taken.getLocalPort()));
        }
        Deadline.await(
                "all threads to end",
                () -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().startsWith("left-")));
    }
}

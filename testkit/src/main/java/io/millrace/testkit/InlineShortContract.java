package io.millrace.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Connector;
import io.millrace.ConnectorOptions;
import io.millrace.Server;
import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.PredictedHandler;
import io.millrace.exchange.RoutePrediction;
import io.millrace.exchange.stream.ExchangeInputStream;
import io.millrace.http1.Http1Options;
import io.millrace.io.TransportOptions;
import io.millrace.workers.WorkerPool;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** With inlineShort, and one event loop for all connections, a server … */
@Timeout(180)
public abstract class InlineShortContract {

    /** A route that was long is tried again after 1, 2, 4 … seconds, and may fail again on a busy machine. */
    private static final Duration LEARNING = Duration.ofSeconds(60);

    private static final String END = "\r\n\r\n";

    private final WorkerPool pool = new WorkerPool("pool", 8, 2);
    private final String transport;
    private final String loopThreads;
    private final Handler handler;
    private final Server server;
    private final List<RawClient> clients = new ArrayList<>();

    /**
     * Starts the server.
     *
     * @param transport its name
     * @param loopThreads a part of the names of its event loops' threads
     */
    protected InlineShortContract(String transport, String loopThreads) throws IOException {
        this.transport = transport;
        this.loopThreads = loopThreads;
        handler = new Handler(loopThreads);
        server = Server.builder()
                .transport(Transports.provider(transport))
                .connector(Connector.builder()
                        .transport(transport)
                        .address("127.0.0.1")
                        .port(0)
                        .workers(pool)
                        .with(TransportOptions.IO_THREADS, 1)
                        .with(ConnectorOptions.INLINE_SHORT, true)
                        .with(Http1Options.MAX_KEEP_ALIVE_REQUESTS, Integer.MAX_VALUE)
                        .build())
                .handler(handler)
                .start();
    }

    @AfterEach
    void stop() throws IOException {
        handler.release.countDown();
        for (RawClient client : clients) {
            client.close();
        }
        server.stop(Duration.ZERO);
        pool.close();
    }

    /** Returns at once; but does what the query says if it runs on the event loop's thread. */
    private static final class Handler implements PredictedHandler {

        private final String loopThreads;
        private final RoutePrediction prediction = new RoutePrediction();
        private final CountDownLatch release = new CountDownLatch(1);
        private final AtomicInteger inline = new AtomicInteger();
        private final AtomicReference<@Nullable Thread> met = new AtomicReference<>();
        private final AtomicReference<@Nullable String> found = new AtomicReference<>();

        Handler(String loopThreads) {
            this.loopThreads = loopThreads;
        }

        @Override
        public RoutePrediction prediction(HttpExchange exchange) {
            return prediction;
        }

        @Override
        public void handle(HttpExchange exchange) throws Exception {
            Thread current = Thread.currentThread();
            boolean isInline = isLoop(current);
            if (isInline) {
                inline.incrementAndGet();
            }
            exchange.response().headers().add("Inline", String.valueOf(isInline));
            String query = exchange.request().query();
            if (query != null && isInline) {
                met.set(current);
                act(query, exchange, current);
            }
        }

        private boolean isLoop(Thread thread) {
            return thread.getName().contains(loopThreads);
        }

        private void act(String query, HttpExchange exchange, Thread current) throws Exception {
            switch (query) {
                case "block" -> release.await();
                case "compute" -> {
                    while (release.getCount() > 0) {
                        Thread.onSpinWait();
                    }
                }
                case "body" ->
                    found.set(new String(ExchangeInputStream.of(exchange).readAllBytes(), StandardCharsets.ISO_8859_1));
                case "dirty" -> {
                    current.interrupt();
                    current.setContextClassLoader(null);
                }
                case "clean" ->
                    found.set(current.isInterrupted() + " "
                            + (current.getContextClassLoader() == null) + " "
                            + exchange.channel().workers().isWorker());
                case "locks" -> {
                    ThreadInfo info = ManagementFactory.getThreadMXBean()
                            .getThreadInfo(new long[] {current.getId()}, true, true)[0];
                    found.set(info.getLockedMonitors().length + " " + info.getLockedSynchronizers().length);
                }
                case "OutOfMemoryError" -> throw new OutOfMemoryError("planted by the test");
                case "StackOverflowError" -> throw new StackOverflowError("planted by the test");
                case "NoClassDefFoundError" -> throw new NoClassDefFoundError("planted by the test");
                case "IllegalStateException" -> throw new IllegalStateException("planted by the test");
                default -> throw new IllegalArgumentException(query);
            }
        }
    }

    private RawClient connect() throws IOException {
        RawClient client = RawClient.connect(server.port());
        clients.add(client);
        return client;
    }

    private static String request(String target, String... fields) {
        List<String> lines = new ArrayList<>(List.of("GET " + target + " HTTP/1.1", "Host: h"));
        lines.addAll(List.of(fields));
        return String.join("\r\n", lines) + END;
    }

    private static String get(RawClient client, String target) throws IOException {
        return client.send(request(target)).readUntil(END);
    }

    /**
     * Sends short requests, each batch with one at its end that does something else if it runs inline, until it does. Whether it does
     * is decided for each request.
     *
     * @param last of the batch
     */
    private RawClient inline(String last) throws IOException {
        return inline(last, "");
    }

    /** The same, with the rest of the last request, which is sent only if it did not run inline. */
    private RawClient inline(String last, String rest) throws IOException {
        RawClient client = connect();
        handler.met.set(null);
        handler.found.set(null);
        String batch = request("/").repeat(8) + last;
        long end = System.nanoTime() + LEARNING.toNanos();
        while (System.nanoTime() - end < 0) {
            client.send(batch);
            for (int answered = 0; answered < 8; answered++) {
                client.readUntil(END);
            }
            Deadline.await("the handler", () -> handler.met.get() != null || isAnswered(client));
            if (handler.met.get() != null) {
                return client;
            }
            client.readUntil(END);
            client.send(rest);
        }
        throw new AssertionError("no request ran inline");
    }

    private static boolean isAnswered(RawClient client) {
        try {
            return client.socket().getInputStream().available() > 0;
        } catch (IOException broken) {
            throw new IllegalStateException(broken);
        }
    }

    private void answersOthers() throws IOException {
        for (int i = 0; i < 10; i++) {
            RawClient other = connect();
            for (int j = 0; j < 5; j++) {
                assertTrue(get(other, "/").startsWith("HTTP/1.1 200"));
            }
        }
    }

    private static boolean isAnyNamed(String part) {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().contains(part));
    }

    @ParameterizedTest
    @ValueSource(strings = {"block", "compute"})
    void answersOtherConnectionsOfTheLoopWhileAHandlerIsNotShort(String how) throws Exception {
        RawClient slow = inline(request("/?" + how));
        answersOthers();
        Deadline.await("the names", () -> isAnyNamed("(polls for ") && isAnyNamed(loopThreads + "1 (runs a request)"));
        handler.release.countDown();
        assertTrue(slow.readUntil(END).startsWith("HTTP/1.1 200"));
        Deadline.await("the loop's thread to poll again", () -> !isAnyNamed("(polls for "));
        answersOthers();
        inline(request("/?clean")); // after its penalty the route is short again
    }

    @Test
    void answersTheRestOfAConnectionInOrderAfterAHandlerThatWasNotShort() throws Exception {
        RawClient slow = inline(request("/?block"));
        slow.send(request("/a").repeat(70));
        answersOthers();
        handler.release.countDown();
        for (int i = 0; i < 71; i++) {
            assertTrue(slow.readUntil(END).startsWith("HTTP/1.1 200"));
        }
        answersOthers();
    }

    @Test
    void pollsWhileAHandlerWaitsForItsBody() throws Exception {
        RawClient slow = inline(request("/?body", "Content-Length: 4"), "body");
        answersOthers();
        slow.send("body");
        assertTrue(slow.readUntil(END).startsWith("HTTP/1.1 200"));
        assertEquals("body", handler.found.get());
        answersOthers();
    }

    @ParameterizedTest
    @ValueSource(strings = {"OutOfMemoryError", "StackOverflowError", "NoClassDefFoundError", "IllegalStateException"})
    void pollsOnWhateverAHandlerThrows(String what) throws Exception {
        RawClient client = inline(request("/?" + what));
        assertTrue(client.readUntil(END).startsWith("HTTP/1.1 500"));
        answersOthers();
        inline(request("/?clean"));
    }

    @Test
    void cleansTheThreadAsThatOfAWorker() throws Exception {
        inline(request("/?dirty"));
        inline(request("/?clean"));
        Deadline.await("the result", () -> handler.found.get() != null);
        assertEquals("false false true", handler.found.get());
    }

    @Test
    void holdsNoLockWhileItCallsAHandler() throws Exception {
        inline(request("/?locks"));
        Deadline.await("the result", () -> handler.found.get() != null);
        assertEquals("0 0", handler.found.get());
    }

    @Test
    void letsGoOfWhatHandlersLeftInThreadLocals() throws Exception {
        inline(request("/?clean"));
        Thread before = Objects.requireNonNull(handler.met.get());
        assertTrue(before.isAlive());
        pool.renew();
        Deadline.await("another thread", () -> !before.isAlive());
        answersOthers();
        inline(request("/?clean"));
    }

    @Test
    void stopsWhileAHandlerIsNotShort() throws Exception {
        inline(request("/?block"));
        answersOthers();
        CompletableFuture<Void> stopped = CompletableFuture.runAsync(() -> server.stop(Duration.ZERO));
        Deadline.await(stopped);
        Thread home = Objects.requireNonNull(handler.met.get());
        handler.release.countDown();
        Deadline.await("the end of the loop's thread", () -> !home.isAlive());
    }

    @Test
    void countsWhatRanInline() throws Exception {
        RawClient slow = inline(request("/?block"));
        answersOthers();
        handler.release.countDown();
        slow.readUntil(END);
        String connector = "http-" + transport + "-127.0.0.1-" + server.port();
        Deadline.await("the end of the run", () -> value("millrace_inline_takeovers_total", connector) > 0);
        assertTrue(value("millrace_inline_requests_total", connector) > 0);
    }

    private double value(String name, String connector) {
        return server.metrics().value(name, "connector", connector).orElseThrow();
    }
}

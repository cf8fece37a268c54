package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.handler.StuckThreads;
import io.millrace.testkit.Deadline;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import javax.servlet.AsyncContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A thread that is busy with one request for too long … */
@OnDefaultCarriers
final class StuckThreadsTest {

    private static final Duration SOON = Duration.ofMillis(60);

    private final Carrier carrier;
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private final Recorder recorder = new Recorder();
    private final Logger logger = Logger.getLogger("io.millrace.handler");

    StuckThreadsTest(Carrier carrier) {
        this.carrier = carrier;
    }

    private static final class Recorder extends Handler {

        private final List<String> lines = new CopyOnWriteArrayList<>();
        private final SimpleFormatter formatter = new SimpleFormatter();

        List<String> linesWith(String text) {
            return lines.stream().filter(line -> line.contains(text)).toList();
        }

        @Override
        public void publish(LogRecord record) {
            Throwable thrown = record.getThrown();
            lines.add(
                    formatter.formatMessage(record) + (thrown == null ? "" : Arrays.toString(thrown.getStackTrace())));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    @BeforeEach
    void listen() {
        logger.addHandler(recorder);
    }

    @AfterEach
    void listenNoMore() {
        logger.removeHandler(recorder);
    }

    private Deployed serving(Duration threshold, @Nullable Duration interruptAfter) throws Exception {
        return Deployed.on(carrier, application().before(new StuckThreads(threshold, interruptAfter)::wrap));
    }

    private WebApplication application() {
        return WebApplication.builder("")
                .servlet(
                        "held",
                        Serving.with((request, response) -> {
                            try {
                                mayEnd.await();
                                response.getWriter().print("done");
                            } catch (InterruptedException interrupted) {
                                response.getWriter().print("interrupted");
                            }
                        }),
                        "/held")
                .servlet(
                        "asynchronous",
                        Serving.with((request, response) -> {
                            AsyncContext context = request.startAsync();
                            new Thread(() -> complete(context)).start();
                        }),
                        settings -> {
                            settings.addMapping("/asynchronous");
                            settings.setAsyncSupported(true);
                        })
                .servlet(
                        "free",
                        Serving.with((request, response) -> response.getWriter()
                                .print(Thread.currentThread().isInterrupted())),
                        "/free")
                .build();
    }

    private long stuck(String path) {
        return recorder.linesWith("may be stuck (threshold").stream()
                .filter(line -> line.contains("GET " + path))
                .count();
    }

    private static boolean isLeftAlone(Deployed server) {
        return asked(server, "/free").join().body().equals("false");
    }

    private void complete(AsyncContext context) {
        try {
            mayEnd.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        context.complete();
    }

    private static CompletableFuture<HttpResponse<String>> asked(Deployed server, String path) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return server.get(path);
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
    }

    @Test
    void isLoggedWithWhatItDoesAndWhenItHasFinished() throws Exception {
        try (Deployed server = serving(SOON, null)) {
            CompletableFuture<HttpResponse<String>> held = asked(server, "/held");
            Deadline.await(
                    "the log",
                    () -> !recorder.linesWith("may be stuck (threshold: 0.060 s)")
                            .isEmpty());
            String line = recorder.linesWith("may be stuck (threshold").get(0);
            assertTrue(line.contains("has been busy with GET /held for "), line);
            assertTrue(line.contains("; 1 thread may be stuck"), line);
            assertTrue(line.contains("StuckThreadsTest"), "its stack: " + line);
            assertEquals(List.of(), recorder.linesWith("was not stuck"));
            mayEnd.countDown();
            assertEquals("done", held.get().body());
            Deadline.await(
                    "the log",
                    () -> !recorder.linesWith("was not stuck: it was busy with GET /held")
                            .isEmpty());
            assertEquals(1, recorder.linesWith("may be stuck (threshold").size(), "once");
        }
    }

    @Test
    void isInterruptedWhereThatIsSaid() throws Exception {
        try (Deployed server = serving(SOON, SOON)) {
            assertEquals("interrupted", server.get("/held").body());
            Deadline.await("a thread that nobody interrupts", () -> isLeftAlone(server));
            Deadline.await(
                    "the log", () -> !recorder.linesWith("Interrupted thread").isEmpty());
        }
    }

    @Test
    void isNoThreadThatWaitsForNothing() throws Exception {
        try (Deployed server = serving(SOON, SOON)) {
            CompletableFuture<HttpResponse<String>> suspended = asked(server, "/asynchronous");
            CompletableFuture<HttpResponse<String>> held = asked(server, "/held");
            assertEquals("interrupted", held.get().body());
            // on a slow machine the servlet itself may take that long, but it ends
            Deadline.await(
                    "no thread for a suspended request",
                    () -> stuck("/asynchronous")
                            == recorder.linesWith("it was busy with GET /asynchronous")
                                    .size());
            mayEnd.countDown();
            assertEquals(200, suspended.get().statusCode());
        }
    }

    @Test
    void isSeenByEachOfSeveralWatchesOnce() throws Exception {
        StuckThreads outer = new StuckThreads(SOON, null);
        StuckThreads inner = new StuckThreads(SOON.plusMillis(1), null);
        WebApplication watched =
                application().before(outer::wrap).before(inner::wrap).before(outer::wrap);
        try (Deployed server = Deployed.on(carrier, watched)) {
            CompletableFuture<HttpResponse<String>> held = asked(server, "/held");
            for (String threshold : List.of("(threshold: 0.060 s)", "(threshold: 0.061 s)")) {
                Deadline.await(threshold, () -> !recorder.linesWith(threshold).isEmpty());
            }
            mayEnd.countDown();
            assertEquals("done", held.get().body());
            Deadline.await(
                    "both ends", () -> recorder.linesWith("was not stuck").size() == 2);
            assertEquals(2, stuck("/held"));
        }
    }

    @Test
    void hasATimeToBeStuckAfter() {
        assertThrows(IllegalArgumentException.class, () -> new StuckThreads(Duration.ZERO, null));
    }
}

package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.io.VirtualThreads;
import io.millrace.servlet.security.RunAs;
import io.millrace.testkit.Deadline;
import io.millrace.testkit.RawClient;
import io.millrace.workers.VirtualWorkers;
import io.millrace.workers.WorkerPool;
import io.millrace.workers.Workers;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.servlet.AsyncContext;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a servlet does to its thread … */
@OnEachCarrier
class ThreadStateTest {

    private static final String SEEN = "interrupted false, own loader true, role null";

    private final Carrier carrier;
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

    @TempDir
    Path base = Path.of("");

    ThreadStateTest(Carrier carrier) {
        this.carrier = carrier;
    }

    @Test
    void staysWithinItsRequestOnPlatformThreads() throws Exception {
        try (WorkerPool workers = new WorkerPool("platform", 4, 4)) {
            staysWithinItsRequest(workers);
        }
    }

    @Test
    void staysWithinItsRequestOnVirtualThreads() throws Exception {
        assumeTrue(VirtualThreads.areAvailable());
        try (VirtualWorkers workers = new VirtualWorkers("virtual")) {
            staysWithinItsRequest(workers);
        }
    }

    private void staysWithinItsRequest(Workers workers) throws Exception {
        byte[] large = new byte[carrier.many(300_000)];
        new Random(1).nextBytes(large);
        Files.write(base.resolve("large.bin"), large);
        try (URLClassLoader foreign = new URLClassLoader(new URL[0]);
                Deployed app = deployed(workers, foreign)) {
            for (String way : new String[] {"sync", "throwing", "async", "start", "complete"}) {
                for (int i = 0; i < 6; i++) {
                    app.get("/worst?" + way);
                    assertEquals(SEEN, app.body("/look"), way);
                }
                pipelined(app, way);
            }
            for (int i = 0; i < 4; i++) {
                assertEquals(large.length, app.bytes("/large.bin").length);
            }
        }
    }

    /** Those that one thread serves without a pause between them. */
    private static void pipelined(Deployed app, String way) throws IOException {
        String worst = "GET /worst?" + way + " HTTP/1.1\r\nHost: x\r\n\r\n";
        String look = "GET /look HTTP/1.1\r\nHost: x\r\n\r\n";
        try (RawClient client = RawClient.connect(app.port())) {
            client.send(worst + look + worst + look);
            assertTrue(client.readUntil(SEEN).endsWith(SEEN));
            assertTrue(client.readUntil(SEEN).endsWith(SEEN));
        }
    }

    private Deployed deployed(Workers workers, ClassLoader foreign) throws IOException {
        return new Deployed(carrier.server()
                .workers(workers)
                .failFast(true)
                .application(WebApplication.builder("")
                        .docBase(base)
                        .servlet("worst", Serving.with((request, response) -> worst(request, foreign)), "/worst")
                        .servlet("look", Serving.with(this::look), "/look")
                        .build())
                .start());
    }

    private void worst(HttpServletRequest request, ClassLoader foreign) {
        doWorst(foreign);
        switch (request.getQueryString()) {
            case "throwing" -> throw new IllegalArgumentException("planted by the test");
            case "async" -> {
                AsyncContext async = request.startAsync();
                new Thread(async::complete).start();
            }
            case "complete" -> request.startAsync().complete();
            case "start" -> {
                AsyncContext async = request.startAsync();
                async.start(() -> {
                    doWorst(foreign);
                    async.complete();
                });
            }
            default -> {}
        }
    }

    private void doWorst(ClassLoader foreign) {
        Thread thread = Thread.currentThread();
        threads.add(thread);
        thread.setContextClassLoader(foreign);
        thread.interrupt();
    }

    private void look(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Thread thread = Thread.currentThread();
        boolean own = request.getServletContext().getClassLoader().equals(thread.getContextClassLoader());
        response.getWriter()
                .print("interrupted " + thread.isInterrupted() + ", own loader " + own + ", role " + RunAs.role());
    }

    /** A thread that is interrupted does not sleep. */
    @Test
    void keepsNoIdleThreadFromSleeping() throws Exception {
        try (WorkerPool workers = new WorkerPool("idle", 4, 4);
                URLClassLoader foreign = new URLClassLoader(new URL[0]);
                Deployed app = deployed(workers, foreign)) {
            for (int i = 0; i < 6; i++) {
                app.get("/worst?sync");
            }
            Deadline.await("the end of the requests", () -> workers.active() == 0);
            threads.forEach(Thread::interrupt);
            Deadline.await("the sleep of all threads", () -> threads.stream().allMatch(ThreadStateTest::isAsleep));
        }
    }

    private static boolean isAsleep(Thread thread) {
        return !thread.isAlive()
                || !thread.isInterrupted()
                        && thread.getState() != Thread.State.RUNNABLE
                        && thread.getState() != Thread.State.NEW;
    }
}

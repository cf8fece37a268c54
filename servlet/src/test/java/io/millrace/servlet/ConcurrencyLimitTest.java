package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Server;
import io.millrace.handler.ConcurrencyLimit;
import io.millrace.testkit.Deadline;
import io.millrace.testkit.RawClient;
import io.millrace.workers.WorkerPool;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A limit of requests at a time … */
@OnDefaultCarriers
final class ConcurrencyLimitTest {

    private final Carrier carrier;
    private final Semaphore mayEnd = new Semaphore(0);
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();

    ConcurrencyLimitTest(Carrier carrier) {
        this.carrier = carrier;
    }

    private WebApplication application(String path, ConcurrencyLimit... limits) {
        WebApplication application = WebApplication.builder(path)
                .servlet(
                        "held",
                        Serving.with((request, response) -> {
                            most.accumulateAndGet(running.incrementAndGet(), Math::max);
                            try {
                                mayEnd.acquireUninterruptibly();
                            } finally {
                                running.decrementAndGet();
                            }
                            response.getWriter().print("done");
                        }),
                        "/held")
                .servlet(
                        "free",
                        Serving.with((request, response) -> response.getWriter().print("free")),
                        "/free")
                .servlet(
                        "failing",
                        Serving.with((request, response) -> {
                            throw new AssertionError("on purpose");
                        }),
                        "/failing")
                .build();
        for (ConcurrencyLimit limit : limits) {
            application.before(limit::wrap);
        }
        return application;
    }

    private static RawClient ask(Deployed server, String path) throws IOException {
        return RawClient.connect(server.port())
                .send("GET " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    }

    private void awaitRunning(int number) {
        Deadline.await(number + " requests in the servlet", () -> running.get() == number);
    }

    @Test
    void letsFurtherRequestsWaitWithoutAThread() throws Exception {
        ConcurrencyLimit limit = ConcurrencyLimit.waiting(2);
        List<RawClient> clients = new ArrayList<>();
        try (WorkerPool workers = new WorkerPool("few", 3, 3);
                Deployed server = new Deployed(carrier.server()
                        .workers(workers)
                        .application(application("/limited", limit))
                        .application(application("/open"))
                        .start())) {
            for (int i = 0; i < 20; i++) {
                clients.add(ask(server, "/limited/held"));
            }
            awaitRunning(2);
            assertEquals("free", server.body("/open/free"));
            mayEnd.release(20);
            for (RawClient client : clients) {
                String answer = client.readTextToEnd();
                assertTrue(answer.startsWith("HTTP/1.1 200 ") && answer.contains("done"), answer);
                client.close();
            }
            assertEquals(2, most.get());
            assertEquals("free", server.body("/limited/free"));
        }
    }

    @Test
    void refusesFurtherRequestsWhereThatIsSaid() throws Exception {
        ConcurrencyLimit limit = ConcurrencyLimit.refusing(1, 503);
        try (Deployed server = Deployed.on(carrier, application("/app", limit));
                RawClient held = ask(server, "/app/held")) {
            awaitRunning(1);
            assertEquals(503, server.get("/app/free").statusCode());
            mayEnd.release();
            assertTrue(held.readTextToEnd().contains("done"));
            Deadline.await("a free place", () -> status(server, "/app/free") == 200);
        }
    }

    private static int status(Deployed server, String path) {
        try {
            return server.get(path).statusCode();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void forgetsRequestsWhoseClientsHaveGone() throws Exception {
        ConcurrencyLimit limit = ConcurrencyLimit.waiting(1);
        try (Deployed server = Deployed.on(carrier, application("/app", limit));
                RawClient held = ask(server, "/app/held")) {
            awaitRunning(1);
            for (int i = 0; i < 5; i++) {
                ask(server, "/app/held").reset();
            }
            try (RawClient patient = ask(server, "/app/held")) {
                mayEnd.release(7);
                assertTrue(held.readTextToEnd().contains("done"));
                assertTrue(patient.readTextToEnd().contains("done"));
            }
            assertEquals("free", server.body("/app/free"));
        }
    }

    @Test
    void takesPlacesBackFromRequestsThatFail() throws Exception {
        ConcurrencyLimit limit = ConcurrencyLimit.waiting(1);
        try (Deployed server = Deployed.on(carrier, application("/app", limit))) {
            for (int i = 0; i < 5; i++) {
                assertEquals(500, server.get("/app/failing").statusCode());
            }
            assertEquals("free", server.body("/app/free"));
        }
    }

    @Test
    void countsARequestOnce() throws Exception {
        ConcurrencyLimit limit = ConcurrencyLimit.waiting(1);
        try (Deployed server = Deployed.on(carrier, application("/app", limit, limit))) {
            assertEquals("free", server.body("/app/free"));
        }
    }

    @Test
    void isSharedByAllThatItIsPutBefore() throws Exception {
        ConcurrencyLimit limit = ConcurrencyLimit.refusing(1, 429);
        try (Deployed server = Deployed.on(carrier, application("/one", limit), application("/two", limit));
                RawClient held = ask(server, "/one/held")) {
            awaitRunning(1);
            assertEquals(429, server.get("/two/free").statusCode());
            mayEnd.release();
            held.readTextToEnd();
        }
    }

    @Test
    void answersAllThatWaitWhenTheServerStops() throws Exception {
        ConcurrencyLimit limit = ConcurrencyLimit.waiting(1);
        List<RawClient> clients = new ArrayList<>();
        Server running =
                carrier.server().application(application("/app", limit)).start();
        try (Deployed server = new Deployed(running)) {
            for (int i = 0; i < 50; i++) {
                clients.add(ask(server, "/app/held"));
            }
            awaitRunning(1);
            mayEnd.release(50);
        }
        for (RawClient client : clients) {
            client.awaitClose();
            client.close();
        }
    }

    @Test
    void isAtLeastOne() {
        assertThrows(IllegalArgumentException.class, () -> ConcurrencyLimit.waiting(0));
        assertThrows(IllegalArgumentException.class, () -> ConcurrencyLimit.refusing(1, 200));
    }
}

package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.Deadline;
import io.millrace.testkit.RawClient;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.servlet.AsyncContext;
import javax.servlet.AsyncEvent;
import javax.servlet.AsyncListener;
import javax.servlet.DispatcherType;
import javax.servlet.ServletOutputStream;
import javax.servlet.ServletRequestEvent;
import javax.servlet.ServletRequestListener;
import javax.servlet.WriteListener;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Thousands of requests on each transport that several threads end at once, each in its own way … */
class AsyncRaceTest {

    private static final int REQUESTS = 1_000;

    /** Held, since its level would be forgotten otherwise: thousands of failures are wanted here, and no news. */
    private static final Logger LOG = Logger.getLogger("io.millrace");

    private final ExecutorService others = Executors.newFixedThreadPool(3);
    private final AtomicInteger completed = new AtomicInteger();
    private final AtomicInteger destroyed = new AtomicInteger();

    @BeforeEach
    void beQuiet() {
        LOG.setLevel(Level.OFF);
    }

    @AfterEach
    void stop() {
        LOG.setLevel(null);
        others.shutdownNow();
    }

    @ParameterizedTest
    @MethodSource("io.millrace.servlet.Carrier#whole")
    void endEachOfThemOnce(Carrier carrier) throws Exception {
        Random random = new Random(carrier.name().hashCode());
        try (Deployed app = Deployed.on(
                carrier,
                WebApplication.builder("")
                        .servlet("race", Serving.with(this::race), "/race")
                        .listener(new ServletRequestListener() {
                            @Override
                            public void requestDestroyed(ServletRequestEvent event) {
                                destroyed.incrementAndGet();
                            }
                        }))) {
            RawClient client = RawClient.connect(app.port());
            for (int i = 0; i < REQUESTS; i++) {
                client.send("GET /race?" + random.nextInt(Integer.MAX_VALUE) + " HTTP/1.1\r\nHost: x\r\n\r\n");
                if (random.nextInt(20) == 0) {
                    client.reset();
                    client = RawClient.connect(app.port());
                } else {
                    client = answered(client, app);
                }
            }
            client.close();
            Deadline.await(
                    "the end of all requests",
                    () -> destroyed.get() >= completed.get()
                            && completed.get() >= REQUESTS * 9 / 10
                            && destroyed.get() == completed.get());
        }
        assertEquals(destroyed.get(), completed.get());
        assertTrue(completed.get() <= REQUESTS, () -> completed + " ends of " + REQUESTS + " requests");
    }

    /** The container may have looked for a failure already, and not left the request to others yet. */
    @ParameterizedTest
    @MethodSource("io.millrace.servlet.Carrier#whole")
    void answerATaskThatThrowsWhileTheServletReturns(Carrier carrier) throws Exception {
        try (Deployed app = Deployed.on(
                carrier, WebApplication.builder("").servlet("throwing", Serving.with(this::throwSoon), "/throwing"))) {
            long end = System.nanoTime() + Duration.ofSeconds(1).toNanos();
            do {
                try (RawClient client = RawClient.connect(app.port())) {
                    client.send("GET /throwing HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
                    String answer = client.readTextToEnd();
                    assertTrue(answer.startsWith("HTTP/1.1 500 "), answer);
                }
            } while (System.nanoTime() < end);
        }
    }

    private void throwSoon(HttpServletRequest request, HttpServletResponse response) {
        AtomicInteger steps = new AtomicInteger();
        request.startAsync().start(() -> {
            steps.incrementAndGet();
            while (steps.get() == 1) {
                Thread.onSpinWait();
            }
            throw new IllegalStateException("thrown");
        });
        while (steps.get() == 0) {
            Thread.onSpinWait();
        }
        steps.incrementAndGet();
    }

    /** Reads an answer of known length, or sees the connection close. Either says that the request was not stuck. */
    private static RawClient answered(RawClient client, Deployed app) throws IOException {
        try {
            String head = client.readUntil("\r\n\r\n");
            int at = head.toLowerCase(Locale.ROOT).indexOf("content-length: ");
            if (at >= 0) {
                client.read(Integer.parseInt(
                        head.substring(at + 16, head.indexOf('\r', at)).trim()));
                return client;
            }
            client.readUntil("0\r\n\r\n");
            return client;
        } catch (IOException | AssertionError closed) {
            client.close();
            return RawClient.connect(app.port());
        }
    }

    /** What its number says: some of the ways to end, by several threads, at the same time. */
    private void race(HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (request.getDispatcherType() == DispatcherType.ASYNC) {
            return;
        }
        Random random = new Random(Long.parseLong(request.getQueryString()));
        AsyncContext async = request.startAsync();
        async.setTimeout(random.nextInt(3) == 0 ? 1 : 20_000);
        async.addListener(new Counter(random.nextInt(3), async));
        List<Runnable> ways = new ArrayList<>();
        ways.add(() -> async.complete());
        ways.add(() -> dispatch(async));
        ways.add(() -> write(async));
        ways.add(() -> async.start(() -> {
            throw new IllegalStateException("a task that fails");
        }));
        if (random.nextInt(4) == 0) {
            listen(async, response.getOutputStream(), random.nextInt(3));
        }
        int count = 1 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
            Runnable way = ways.get(random.nextInt(ways.size()));
            int delay = random.nextInt(200);
            others.execute(() -> {
                for (int spin = 0; spin < delay; spin++) {
                    Thread.onSpinWait();
                }
                way.run();
            });
        }
        others.execute(async::complete); // so that there is an end without a timeout
        if (random.nextInt(8) == 0) {
            throw new IllegalStateException("a servlet that fails");
        }
    }

    private static void dispatch(AsyncContext async) {
        try {
            async.dispatch();
        } catch (IllegalStateException decidedAlready) {
            // as it should
        }
    }

    private static void write(AsyncContext async) {
        try {
            async.getResponse().getOutputStream().print("some text");
            async.getResponse().flushBuffer();
        } catch (IOException | IllegalStateException over) {
            // the client is gone, or the response is
        }
    }

    private static void listen(AsyncContext async, ServletOutputStream out, int manner) {
        out.setWriteListener(new WriteListener() {
            @Override
            public void onWritePossible() throws IOException {
                if (manner == 0) {
                    throw new IOException("a listener that fails");
                }
                if (out.isReady()) {
                    out.print("x");
                }
                if (manner == 1) {
                    async.complete();
                }
            }

            @Override
            public void onError(Throwable thrown) {
                async.complete();
            }
        });
    }

    /** Counts ends, and may decide what becomes of a request that expired. */
    private final class Counter implements AsyncListener {

        private final int manner;
        private final AsyncContext async;

        Counter(int manner, AsyncContext async) {
            this.manner = manner;
            this.async = async;
        }

        @Override
        public void onComplete(AsyncEvent event) {
            completed.incrementAndGet();
        }

        @Override
        public void onTimeout(AsyncEvent event) {
            if (manner == 0) {
                async.complete();
            } else if (manner == 1) {
                dispatch(async);
            }
        }

        @Override
        public void onError(AsyncEvent event) {}

        @Override
        public void onStartAsync(AsyncEvent event) {}
    }
}

package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.Deadline;
import io.millrace.testkit.RawClient;
import java.io.IOException;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import javax.servlet.AsyncContext;
import javax.servlet.AsyncEvent;
import javax.servlet.AsyncListener;
import javax.servlet.DispatcherType;
import javax.servlet.Filter;
import javax.servlet.ReadListener;
import javax.servlet.ServletOutputStream;
import javax.servlet.ServletRequestEvent;
import javax.servlet.ServletRequestListener;
import javax.servlet.WriteListener;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whatever ends an asynchronous request, on whichever thread, before or after its servlet has returned … */
@OnDefaultCarriers
class AsyncMatrixTest {

    /** What happens to the request. */
    enum What {
        COMPLETE,
        DISPATCH,
        /** Its time is up; the listener then completes it. */
        TIMEOUT,
        /** The application throws. */
        ERROR,
        /** The client is gone, and the application writes until it finds out. */
        WRITE_FAILURE,
        /** The client is gone, and the application does nothing. */
        CLIENT_ABORT
    }

    /** On whose thread: the servlet's or an I/O listener's, or one of the application's own. */
    enum Who {
        CONTAINER,
        OTHER
    }

    /** While the servlet's call is on the stack, or after it has returned. */
    enum When {
        BEFORE,
        AFTER
    }

    /** One of the table's rows. */
    private record Cell(What what, Who who, When when) {}

    private final Carrier carrier;
    private final Queue<String> events = new ConcurrentLinkedQueue<>();
    private final CountDownLatch returned = new CountDownLatch(1);
    private final CountDownLatch destroyed = new CountDownLatch(1);
    private final CompletableFuture<AsyncContext> started = new CompletableFuture<>();
    private final CompletableFuture<RawClient> connected = new CompletableFuture<>();

    AsyncMatrixTest(Carrier carrier) {
        this.carrier = carrier;
    }

    /** What listeners are told, in order, and the answer's status and body; none where there is nobody to get it. */
    @ParameterizedTest
    @CsvSource({
        "COMPLETE,      CONTAINER, BEFORE, complete,                200, completed",
        "COMPLETE,      CONTAINER, AFTER,  complete,                200, completed",
        "COMPLETE,      OTHER,     BEFORE, complete,                200, completed",
        "COMPLETE,      OTHER,     AFTER,  complete,                200, completed",
        "DISPATCH,      CONTAINER, BEFORE, complete,                200, dispatched",
        "DISPATCH,      CONTAINER, AFTER,  complete,                200, dispatched",
        "DISPATCH,      OTHER,     BEFORE, complete,                200, dispatched",
        "DISPATCH,      OTHER,     AFTER,  complete,                200, dispatched",
        "TIMEOUT,       CONTAINER, BEFORE, timeout complete,        200, late",
        "TIMEOUT,       CONTAINER, AFTER,  timeout complete,        200, late",
        "TIMEOUT,       OTHER,     BEFORE, timeout complete,        200, late",
        "TIMEOUT,       OTHER,     AFTER,  timeout complete,        200, late",
        "ERROR,         CONTAINER, BEFORE, error complete,          500, Server",
        "ERROR,         CONTAINER, AFTER,  io-error error complete, 500, Server",
        "ERROR,         OTHER,     BEFORE, error complete,          500, Server",
        "ERROR,         OTHER,     AFTER,  error complete,          500, Server",
        "WRITE_FAILURE, CONTAINER, BEFORE, error complete,          0,   ''",
        "WRITE_FAILURE, CONTAINER, AFTER,  io-error error complete, 0,   ''",
        "WRITE_FAILURE, OTHER,     BEFORE, complete,                0,   ''",
        "WRITE_FAILURE, OTHER,     AFTER,  error? complete,         0,   ''",
        "CLIENT_ABORT,  CONTAINER, BEFORE, io-error error complete, 0,   ''",
        "CLIENT_ABORT,  CONTAINER, AFTER,  io-error error complete, 0,   ''",
        // nobody reads or writes
        "CLIENT_ABORT,  OTHER,     BEFORE, error complete,          0,   ''",
        "CLIENT_ABORT,  OTHER,     AFTER,  error complete,          0,   ''",
    })
    void endsOnce(What what, Who who, When when, String told, int status, String body) throws Exception {
        Cell cell = new Cell(what, who, when);
        try (Deployed app = deploy(cell);
                RawClient client = RawClient.connect(app.port())) {
            // the body of a request whose client goes away never comes whole
            int length = what == What.CLIENT_ABORT ? 2 : 1;
            client.send(
                    "POST /async HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: " + length + "\r\n\r\nx");
            connected.complete(client);
            if (status > 0) {
                String answer = client.readTextToEnd();
                assertTrue(answer.startsWith("HTTP/1.1 " + status) && answer.contains(body), answer);
            }
            Deadline.await(destroyed);
            // late calls are refused, quietly where nothing is lost by it
            Deadline.await(started).complete();
            assertEquals("target", app.body("/target"));
        }
        String all = String.join(" ", events);
        assertTrue(all.matches(told.replace("error? ", "(error )?") + " destroyed"), all);
    }

    private Deployed deploy(Cell cell) throws IOException {
        return Deployed.on(
                carrier,
                WebApplication.builder("")
                        .filter(
                                "returned",
                                (Filter) (request, response, chain) -> {
                                    chain.doFilter(request, response);
                                    returned.countDown();
                                },
                                "/async")
                        .servlet("async", Serving.with((request, response) -> serve(cell, request, response)), "/async")
                        .servlet("target", Serving.with(AsyncMatrixTest::target), "/target")
                        .listener(new ServletRequestListener() {
                            @Override
                            public void requestDestroyed(ServletRequestEvent event) {
                                HttpServletRequest request = (HttpServletRequest) event.getServletRequest();
                                if (destroyed.getCount() > 0
                                        && request.getMethod().equals("POST")) {
                                    events.add("destroyed");
                                    destroyed.countDown();
                                }
                            }
                        }));
    }

    private static void target(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.getWriter().print(request.getDispatcherType() == DispatcherType.ASYNC ? "dispatched" : "target");
    }

    private void serve(Cell cell, HttpServletRequest request, HttpServletResponse response) throws Exception {
        AsyncContext async = request.startAsync();
        async.setTimeout(cell.what == What.TIMEOUT ? 20 : 0);
        async.addListener(new Recorder(cell, async));
        started.complete(async);
        if (cell.what == What.CLIENT_ABORT) {
            abort(cell, request);
        } else if (cell.what == What.TIMEOUT) {
            if (cell.when == When.BEFORE) {
                Deadline.pass(Duration.ofMillis(60));
            }
        } else if (cell.who == Who.CONTAINER && cell.when == When.BEFORE) {
            act(cell, async);
        } else if (cell.who == Who.CONTAINER) {
            listen(cell, async, request, response);
        } else {
            actElsewhere(cell, async);
        }
    }

    /** On a thread of the application's own, which the servlet waits for or which waits for it. */
    private void actElsewhere(Cell cell, AsyncContext async) throws Exception {
        CountDownLatch acted = new CountDownLatch(1);
        Runnable action = () -> {
            if (cell.when == When.AFTER) {
                Deadline.awaitUninterrupted(returned);
            }
            try {
                act(cell, async);
            } catch (IOException expected) {
                async.complete();
            } finally {
                acted.countDown();
            }
        };
        if (cell.what == What.ERROR) {
            async.start(action);
        } else {
            new Thread(action).start();
        }
        if (cell.when == When.BEFORE) {
            Deadline.await(acted);
        }
    }

    private void act(Cell cell, AsyncContext async) throws IOException {
        switch (cell.what) {
            case COMPLETE -> {
                async.getResponse().getOutputStream().print("completed");
                async.complete();
            }
            case DISPATCH -> async.dispatch("/target");
            case ERROR -> throw new IllegalStateException("thrown");
            case WRITE_FAILURE -> {
                connected.join().reset();
                ServletOutputStream out = async.getResponse().getOutputStream();
                while (true) {
                    out.write(new byte[1000]);
                    out.flush();
                }
            }
            default -> throw new IllegalArgumentException(cell.toString());
        }
    }

    /** Acts in a call of an I/O listener. */
    private void listen(Cell cell, AsyncContext async, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        if (cell.what == What.WRITE_FAILURE) {
            response.getOutputStream().setWriteListener(new WriteListener() {
                @Override
                public void onWritePossible() throws IOException {
                    act(cell, async);
                }

                @Override
                public void onError(Throwable thrown) {
                    events.add("io-error");
                }
            });
        } else {
            request.getInputStream().setReadListener(new Reader(() -> act(cell, async)));
        }
    }

    /** The client goes away, while the request's body is awaited or nothing is. */
    private void abort(Cell cell, HttpServletRequest request) throws IOException {
        if (cell.who == Who.CONTAINER) {
            request.getInputStream().setReadListener(new Reader(() -> {
                while (request.getInputStream().isReady()) {
                    request.getInputStream().read();
                }
            }));
        }
        CompletableFuture<Void> reset = CompletableFuture.runAsync(() -> {
            if (cell.when == When.AFTER) {
                Deadline.awaitUninterrupted(returned);
            }
            try {
                connected.join().reset();
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        });
        if (cell.when == When.BEFORE) {
            reset.join();
        }
    }

    private interface Action {
        void run() throws IOException;
    }

    /** Does something when there is something to read. */
    private final class Reader implements ReadListener {

        private final Action action;

        Reader(Action action) {
            this.action = action;
        }

        @Override
        public void onDataAvailable() throws IOException {
            action.run();
        }

        @Override
        public void onAllDataRead() {}

        @Override
        public void onError(Throwable thrown) {
            events.add("io-error");
        }
    }

    /** Remembers what it is told, and completes what expired, itself or by another thread. */
    private final class Recorder implements AsyncListener {

        private final Cell cell;
        private final AsyncContext async;

        Recorder(Cell cell, AsyncContext async) {
            this.cell = cell;
            this.async = async;
        }

        @Override
        public void onTimeout(AsyncEvent event) throws IOException {
            events.add(returned.getCount() == 0 ? "timeout" : "too early");
            async.getResponse().getOutputStream().print("late");
            if (cell.who == Who.CONTAINER) {
                async.complete();
            } else {
                CompletableFuture.runAsync(async::complete).join();
            }
        }

        @Override
        public void onError(AsyncEvent event) {
            events.add("error");
        }

        @Override
        public void onComplete(AsyncEvent event) {
            events.add("complete");
        }

        @Override
        public void onStartAsync(AsyncEvent event) {
            events.add("start");
        }
    }
}

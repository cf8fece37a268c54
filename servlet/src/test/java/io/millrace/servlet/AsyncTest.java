package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Application;
import io.millrace.ServerContext;
import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.HttpHandler;
import io.millrace.testkit.Deadline;
import io.millrace.testkit.RawClient;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import javax.servlet.AsyncContext;
import javax.servlet.AsyncEvent;
import javax.servlet.AsyncListener;
import javax.servlet.DispatcherType;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@OnEachCarrier
class AsyncTest {

    private final Carrier carrier;

    private final Queue<String> events = new ConcurrentLinkedQueue<>();
    private final CountDownLatch completed = new CountDownLatch(1);
    private final CompletableFuture<AsyncContext> started = new CompletableFuture<>();
    private @Nullable Deployed running;

    AsyncTest(Carrier carrier) {
        this.carrier = carrier;
    }

    /** Half of the requests came to an end at once where the longest of timeouts was given, as the clock had it. */
    @Test
    void waitsAsLongAsTheLongestTimeout() throws Exception {
        Queue<AsyncContext> waiting = new ConcurrentLinkedQueue<>();
        running = Deployed.on(
                carrier,
                WebApplication.builder("")
                        .servlet(
                                "wait",
                                Serving.with((request, response) -> {
                                    AsyncContext async = request.startAsync();
                                    async.setTimeout(Long.parseLong(request.getQueryString()));
                                    async.addListener(new Recorder(() -> {}));
                                    waiting.add(async);
                                }),
                                "/wait")
                        .servlet(
                                "end",
                                Serving.with(
                                        (request, response) -> waiting.remove().complete()),
                                "/end"));
        for (long timeout : new long[] {Long.MAX_VALUE, Long.MAX_VALUE - 1, Long.MAX_VALUE / 1_000_000, 0, -1}) {
            for (int i = 0; i < 5; i++) {
                try (RawClient client = RawClient.connect(app().port())) {
                    client.send("GET /wait?" + timeout + " HTTP/1.1\r\nHost: x\r\n\r\n");
                    Deadline.await("the request", () -> !waiting.isEmpty());
                    assertEquals(200, app().get("/end").statusCode());
                    assertTrue(client.readUntil("\r\n\r\n").startsWith("HTTP/1.1 200 "));
                }
            }
        }
        assertTrue(events.stream().noneMatch("timeout"::equals), events::toString);
    }

    @AfterEach
    void undeploy() {
        app().close();
    }

    private Deployed app() {
        return Objects.requireNonNull(running);
    }

    /** Remembers what it is told, and may act on a timeout. */
    private final class Recorder implements AsyncListener {

        private final Runnable onTimeout;

        Recorder(Runnable onTimeout) {
            this.onTimeout = onTimeout;
        }

        @Override
        public void onComplete(AsyncEvent event) {
            events.add("complete");
            completed.countDown();
        }

        @Override
        public void onTimeout(AsyncEvent event) {
            events.add("timeout");
            onTimeout.run();
        }

        @Override
        public void onError(AsyncEvent event) {
            events.add("error " + event.getThrowable().getMessage());
        }

        @Override
        public void onStartAsync(AsyncEvent event) {
            events.add("start");
        }
    }

    private void deploy(Serving.Action action) throws IOException {
        running = Deployed.on(
                carrier,
                WebApplication.builder("")
                        .servlet("async", Serving.with(action), "/async")
                        .servlet(
                                "target",
                                Serving.with((request, response) -> response.getWriter()
                                        .print("target " + request.getDispatcherType() + " "
                                                + request.getAttribute("javax.servlet.async.request_uri"))),
                                "/target")
                        .servlet("old", Serving.with((request, response) -> request.startAsync()), registration -> {
                            registration.addMapping("/old");
                            registration.setAsyncSupported(false);
                        })
                        .errorPage(500, "/target"));
    }

    /** The end is told last, and may be told when the client has its answer. */
    private void assertTold(String... all) throws InterruptedException {
        Deadline.await(completed);
        assertEquals(List.of(all), List.copyOf(events));
    }

    private AsyncContext start(HttpServletRequest request) {
        AsyncContext async = request.startAsync();
        async.addListener(new Recorder(() -> {}));
        return async;
    }

    @Test
    void completesFromAnotherThreadAfterTheServletHasReturned() throws Exception {
        deploy((request, response) -> {
            response.getWriter().print("before ");
            started.complete(start(request));
        });
        var response = CompletableFuture.supplyAsync(this::getAsync);
        AsyncContext async = Deadline.await(started);
        async.getResponse().getWriter().print("after");
        async.complete();
        assertEquals("before after", Deadline.await(response));
        assertTold("complete");
    }

    private String getAsync() {
        try {
            return app().body("/async");
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void completesBeforeTheServletReturns() throws Exception {
        deploy((request, response) -> {
            start(request).complete();
            response.getWriter().print("still writing");
        });
        assertEquals("still writing", app().body("/async"));
        assertTold("complete");
    }

    @Test
    void dispatchesToAPath() throws Exception {
        deploy((request, response) -> {
            AsyncContext async = start(request);
            async.start(() -> async.dispatch("/target"));
        });
        assertEquals("target ASYNC /async", app().body("/async"));
        assertTold("complete");
    }

    @Test
    void dispatchesBackToItself() throws Exception {
        deploy((request, response) -> {
            if (request.getDispatcherType() == DispatcherType.ASYNC) {
                response.getWriter().print("again " + request.getParameter("q") + request.isAsyncStarted());
            } else {
                start(request).dispatch();
            }
        });
        assertEquals("again 1false", app().body("/async?q=1"));
    }

    @Test
    void mayBeStartedAgainInADispatch() throws Exception {
        deploy((request, response) -> {
            AsyncContext async = start(request);
            if (request.getDispatcherType() == DispatcherType.ASYNC) {
                response.getWriter().print("twice");
                async.start(async::complete);
            } else {
                async.dispatch();
            }
        });
        assertEquals("twice", app().body("/async"));
        assertTold("start", "complete");
    }

    @Test
    void answers500WhenItsTimeIsUp() throws Exception {
        deploy((request, response) -> {
            response.getWriter().print("dropped");
            start(request).setTimeout(50);
        });
        var response = app().get("/async");
        assertEquals(500, response.statusCode());
        assertEquals("target ERROR null", response.body());
        assertTold("timeout", "complete");
    }

    @Test
    void letsAListenerDecideWhenItsTimeIsUp() throws Exception {
        deploy((request, response) -> {
            AsyncContext async = request.startAsync();
            async.setTimeout(50);
            async.addListener(new Recorder(() -> {
                response.setStatus(202);
                async.complete();
            }));
        });
        assertEquals(202, app().get("/async").statusCode());
        assertTold("timeout", "complete");
    }

    @Test
    void letsAListenerDispatchWhenItsTimeIsUp() throws Exception {
        deploy((request, response) -> {
            AsyncContext async = request.startAsync();
            async.setTimeout(50);
            async.addListener(new Recorder(() -> async.dispatch("/target")));
        });
        var response = app().get("/async");
        assertEquals(200, response.statusCode());
        assertEquals("target ASYNC /async", response.body());
    }

    @Test
    void tellsListenersWhatTheServletThrew() throws Exception {
        deploy((request, response) -> {
            start(request);
            throw new IllegalStateException("thrown");
        });
        assertEquals(500, app().get("/async").statusCode());
        assertTold("error thrown", "complete");
    }

    @Test
    void answersSendErrorWithItsPage() throws Exception {
        deploy((request, response) -> {
            AsyncContext async = start(request);
            async.start(() -> {
                try {
                    response.sendError(500);
                } catch (IOException e) {
                    events.add(e.toString());
                }
                async.complete();
            });
        });
        var response = app().get("/async");
        assertEquals(500, response.statusCode());
        assertEquals("target ERROR null", response.body());
    }

    @Test
    void ignoresALateCompleteAndRefusesALateDispatch() throws Exception {
        deploy((request, response) -> {
            AsyncContext async = start(request);
            started.complete(async);
            async.complete();
        });
        assertEquals("", app().body("/async"));
        AsyncContext stale = Deadline.await(started);
        stale.complete();
        assertEquals("refused", outcomeOf(() -> stale.dispatch("/target")));
        assertTold("complete");
    }

    private static String outcomeOf(Runnable action) {
        try {
            action.run();
            return "done";
        } catch (IllegalStateException e) {
            return "refused";
        }
    }

    @Test
    void refusesToStartTwiceOrToListenTooLate() throws Exception {
        deploy((request, response) -> {
            AsyncContext async = start(request);
            response.getWriter().print(outcomeOf(request::startAsync));
            async.complete();
        });
        assertEquals("refused", app().body("/async"));
    }

    @Test
    void refusesToStartWhereItIsNotSupported() throws Exception {
        deploy((request, response) -> {});
        var response = app().get("/old");
        assertEquals(500, response.statusCode());
        assertTrue(response.body().startsWith("target ERROR"));
    }

    /** Remembers the exchange of the last request. */
    private static final class Watched implements Application {

        private final CompletableFuture<HttpExchange> exchange = new CompletableFuture<>();
        private final WebApplication watched;

        Watched(WebApplication watched) {
            this.watched = watched;
        }

        @Override
        public String contextPath() {
            return watched.contextPath();
        }

        @Override
        public HttpHandler start(ServerContext server) throws Exception {
            HttpHandler handler = watched.start(server);
            return next -> {
                exchange.complete(next);
                handler.handle(next);
            };
        }

        @Override
        public void stop() {
            watched.stop();
        }
    }

    @Test
    void tellsListenersThatTheExchangeWasGivenUp() throws Exception {
        Watched watched = new Watched(WebApplication.builder("")
                .servlet("async", Serving.with((request, response) -> started.complete(start(request))), "/async")
                .build());
        running = Deployed.on(carrier, watched);
        try (RawClient client = RawClient.connect(app().port())) {
            client.send("GET /async HTTP/1.1\r\nHost: x\r\n\r\n");
            AsyncContext async = Deadline.await(started);
            Deadline.await(watched.exchange).abort(new IOException("given up"));
            client.awaitClose();
            Deadline.await(completed);
            async.complete();
        }
        assertTold("error given up", "complete");
    }

    @Test
    void tellsTheApplicationWhenTheServerCutsARequestThatWaits() throws Exception {
        deploy((request, response) -> {
            AsyncContext async = start(request);
            async.setTimeout(0);
            started.complete(async);
        });
        try (RawClient client = RawClient.connect(app().port())) {
            client.send("GET /async HTTP/1.1\r\nHost: x\r\n\r\n");
            Deadline.await(started);
            app().cut();
            Deadline.await(completed);
        }
        assertEquals(2, events.size());
        assertTrue(Objects.requireNonNull(events.peek()).startsWith("error "));
    }

    @Test
    void keepsWhatWasWrappedAround() throws Exception {
        deploy((HttpServletRequest request, HttpServletResponse response) -> {
            var wrapped = new javax.servlet.http.HttpServletRequestWrapper(request);
            AsyncContext async = request.startAsync(wrapped, response);
            response.getWriter()
                    .print(async.hasOriginalRequestAndResponse() + " "
                            + async.getRequest().equals(wrapped));
            async.complete();
        });
        assertEquals("false true", app().body("/async"));
    }
}

package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.Deadline;
import io.millrace.testkit.RawClient;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.SubmissionPublisher;
import javax.servlet.AsyncContext;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

@OnEachCarrier
class BodyStreamTest {

    private final Carrier carrier;

    BodyStreamTest(Carrier carrier) {
        this.carrier = carrier;
    }

    private Deployed deploy(Serving.Action action) throws IOException {
        return Deployed.on(carrier, WebApplication.builder("").servlet("body", Serving.with(action), "/"));
    }

    private static void echo(HttpServletRequest request, HttpServletResponse response) throws IOException {
        AsyncContext async = request.startAsync();
        new BodyPublisher(request.getInputStream()).subscribe(new BodySubscriber(async));
    }

    /** Collects what comes, a buffer at a time, asked for by a thread of its own. */
    private static final class Collector implements Flow.Subscriber<ByteBuffer> {

        private final StringBuilder all = new StringBuilder();
        private final CompletableFuture<String> done = new CompletableFuture<>();
        private Flow.@Nullable Subscription from;

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            from = subscription;
            subscription.request(1);
        }

        @Override
        public void onNext(ByteBuffer buffer) {
            all.append(StandardCharsets.ISO_8859_1.decode(buffer));
            ForkJoinPool.commonPool().execute(() -> {
                if (from != null) {
                    from.request(1);
                }
            });
        }

        @Override
        public void onError(Throwable thrown) {
            done.complete(thrown.getClass().getSimpleName());
        }

        @Override
        public void onComplete() {
            done.complete(all.toString());
        }
    }

    @Test
    void echoesABody() throws Exception {
        String body = "0123456789".repeat(carrier == Carrier.DRIP ? 500 : 200_000);
        try (Deployed app = deploy(BodyStreamTest::echo)) {
            assertEquals(body, app.post("/", "text/plain", body).body());
            assertEquals("", app.post("/", "text/plain", "").body());
        }
    }

    @Test
    void readsAsItIsAsked() throws Exception {
        Collector collector = new Collector();
        try (Deployed app = deploy((request, response) -> {
            AsyncContext async = request.startAsync();
            new BodyPublisher(request.getInputStream()).subscribe(collector);
            async.start(() -> {
                collector.done.join();
                async.complete();
            });
        })) {
            app.post("/", "text/plain", "to be collected");
            assertEquals("to be collected", Deadline.await(collector.done));
        }
    }

    @Test
    void tellsTheSubscriberThatTheClientIsGone() throws Exception {
        Collector collector = new Collector();
        try (Deployed app = deploy((request, response) -> {
                    request.startAsync();
                    new BodyPublisher(request.getInputStream()).subscribe(collector);
                });
                RawClient client = RawClient.connect(app.port())) {
            client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n01234");
            client.reset();
            assertTrue(Deadline.await(collector.done).endsWith("Exception"));
        }
    }

    @Test
    void refusesASecondSubscriberAndARequestForNothing() throws Exception {
        Collector first = new Collector();
        Collector second = new Collector();
        try (Deployed app = deploy((request, response) -> {
            AsyncContext async = request.startAsync();
            BodyPublisher body = new BodyPublisher(request.getInputStream());
            body.subscribe(first);
            body.subscribe(second);
            java.util.Objects.requireNonNull(first.from).request(0);
            async.complete();
        })) {
            app.post("/", "text/plain", "x");
            assertEquals("IllegalStateException", Deadline.await(second.done));
            assertEquals("IllegalArgumentException", Deadline.await(first.done));
        }
    }

    @Test
    void sendsWhatAPublisherGives() throws Exception {
        int count = carrier == Carrier.DRIP ? 20 : 500;
        try (Deployed app = deploy((request, response) -> {
            SubmissionPublisher<ByteBuffer> source = new SubmissionPublisher<>();
            source.subscribe(new BodySubscriber(request.startAsync()));
            ForkJoinPool.commonPool().execute(() -> {
                for (int i = 0; i < count; i++) {
                    source.submit(ByteBuffer.allocateDirect(1000));
                }
                source.close();
            });
        })) {
            assertEquals(count * 1000, app.bytes("/").length);
        }
    }

    @Test
    void answersAPublisherThatFailsBy500OrByAClose() throws Exception {
        for (String begun : List.of("", "begun")) {
            try (Deployed app = deploy((request, response) -> {
                        AsyncContext async = request.startAsync();
                        if (!begun.isEmpty()) {
                            response.getOutputStream().print(begun);
                            response.flushBuffer();
                        }
                        SubmissionPublisher<ByteBuffer> source = new SubmissionPublisher<>();
                        source.subscribe(new BodySubscriber(async));
                        source.closeExceptionally(new IllegalStateException("no more"));
                    });
                    RawClient client = RawClient.connect(app.port())) {
                client.send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
                String answer = client.readTextToEnd();
                assertTrue(
                        begun.isEmpty() ? answer.startsWith("HTTP/1.1 500 ") : !answer.endsWith("0\r\n\r\n"), answer);
            }
        }
    }
}

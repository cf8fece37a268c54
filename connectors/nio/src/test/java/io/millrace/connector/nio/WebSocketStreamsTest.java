package io.millrace.connector.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Server;
import io.millrace.io.BufferPool;
import io.millrace.testkit.Deadline;
import io.millrace.testkit.RawClient;
import io.millrace.testkit.SocketLink;
import io.millrace.testkit.WebSocketContractClient;
import io.millrace.websocket.MessageStreams;
import io.millrace.websocket.WebSocketException;
import io.millrace.websocket.WebSocketHandler;
import io.millrace.websocket.WebSocketMessage;
import io.millrace.websocket.WebSocketOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Message streams, by the rules of Reactive Streams: it … */
@Timeout(120)
class WebSocketStreamsTest {

    private final CompletableFuture<MessageStreams> opened = new CompletableFuture<>();
    private @Nullable Server server;

    @AfterEach
    void close() {
        if (server != null) {
            server.stop(Duration.ZERO);
        }
    }

    private WebSocketContractClient connect(Consumer<MessageStreams> handler) throws Exception {
        Server started = Server.builder()
                .port(0)
                .handler(WebSocketHandler.ofStreams(
                        streams -> {
                            handler.accept(streams);
                            opened.complete(streams);
                        },
                        WebSocketOptions.DEFAULT))
                .start();
        server = started;
        WebSocketContractClient client = new WebSocketContractClient(
                new SocketLink(RawClient.connect(started.ports().get(0)), new BufferPool(1 << 20)));
        client.ask("/");
        return client;
    }

    /** Records its signals; requests when the test does. */
    private static final class Noting implements Flow.Subscriber<WebSocketMessage> {

        private final CompletableFuture<Flow.Subscription> subscription = new CompletableFuture<>();
        private final BlockingQueue<Object> told = new LinkedBlockingQueue<>();

        @Override
        public void onSubscribe(Flow.Subscription given) {
            subscription.complete(given);
        }

        @Override
        public void onNext(WebSocketMessage message) {
            told.add(message);
        }

        @Override
        public void onError(Throwable failure) {
            told.add(failure);
        }

        @Override
        public void onComplete() {
            told.add("complete");
        }

        void request(long count) throws Exception {
            Deadline.await(subscription).request(count);
        }

        Object next() throws InterruptedException {
            Object next = told.poll(Deadline.DEFAULT.toMillis(), TimeUnit.MILLISECONDS);
            if (next == null) {
                throw new AssertionError("nothing was told");
            }
            return next;
        }
    }

    private static WebSocketMessage text(String text) {
        return new WebSocketMessage.Text(text);
    }

    @Test
    void givesWhatWasAskedForAndNoMore() throws Exception {
        Noting noting = new Noting();
        WebSocketContractClient client = connect(streams -> streams.received().subscribe(noting));
        for (int i = 0; i < 5; i++) {
            client.text("m" + i);
        }
        client.send(WebSocketContractClient.FIN | WebSocketContractClient.BINARY, new byte[] {1});
        client.close(1000);
        noting.request(1);
        assertEquals(text("m0"), noting.next());
        assertNull(noting.told.poll(50, TimeUnit.MILLISECONDS));
        noting.request(3);
        for (int i = 1; i < 4; i++) {
            assertEquals(text("m" + i), noting.next());
        }
        noting.request(Long.MAX_VALUE);
        noting.request(Long.MAX_VALUE);
        assertEquals(text("m4"), noting.next());
        assertEquals(new WebSocketMessage.Binary(ByteBuffer.wrap(new byte[] {1})), noting.next());
        assertEquals("complete", noting.next());
    }

    @Test
    void failsWithTheCodeOfACloseThatIsAnError() throws Exception {
        Noting noting = new Noting();
        WebSocketContractClient client = connect(streams -> streams.received().subscribe(noting));
        noting.request(1);
        client.close(1011);
        assertEquals(
                1011, assertInstanceOf(WebSocketException.class, noting.next()).code());
    }

    @Test
    void failsWhenTheConnectionBreaks() throws Exception {
        Noting noting = new Noting();
        WebSocketContractClient client = connect(streams -> streams.received().subscribe(noting));
        noting.request(1);
        client.text("m");
        assertEquals(text("m"), noting.next());
        noting.request(1);
        client.breakOff();
        assertInstanceOf(IOException.class, noting.next());
    }

    @Test
    void failsIfNothingIsAskedFor() throws Exception {
        Noting noting = new Noting();
        WebSocketContractClient client = connect(streams -> streams.received().subscribe(noting));
        client.text("dropped");
        noting.request(0);
        assertInstanceOf(IllegalArgumentException.class, noting.next());
        client.awaitEnd();
        assertEquals(0, noting.told.size());
    }

    @Test
    void refusesASecondSubscriber() throws Exception {
        Noting second = new Noting();
        connect(streams -> {
            streams.received().subscribe(new Noting());
            streams.received().subscribe(second);
        });
        second.request(1);
        assertInstanceOf(IllegalStateException.class, second.next());
    }

    @Test
    void tellsASubscriberThatComesAfterTheEnd() throws Exception {
        WebSocketContractClient client = connect(streams -> {});
        MessageStreams streams = Deadline.await(opened);
        streams.connection().abort(new IOException("by the test"));
        client.awaitEnd();
        Noting late = new Noting();
        streams.received().subscribe(late);
        assertEquals(
                "by the test", assertInstanceOf(IOException.class, late.next()).getMessage());
    }

    @Test
    void readsAndDropsMessagesAfterACancel() throws Exception {
        Noting noting = new Noting();
        WebSocketContractClient client = connect(streams -> streams.received().subscribe(noting));
        Deadline.await(noting.subscription).cancel();
        for (int i = 0; i < 100; i++) {
            client.text("dropped " + i);
        }
        client.close(1000);
        assertEquals(1000, client.receive().code());
        assertEquals(0, noting.told.size());
    }

    /** A publisher that counts the requested items, and publishes on command of the test. */
    private static final class Asked implements Flow.Publisher<WebSocketMessage>, Flow.Subscription {

        private final AtomicInteger demand = new AtomicInteger();
        private final CountDownLatch cancelled = new CountDownLatch(1);
        private Flow.@Nullable Subscriber<? super WebSocketMessage> subscriber;

        @Override
        public void subscribe(Flow.Subscriber<? super WebSocketMessage> given) {
            subscriber = given;
            given.onSubscribe(this);
        }

        @Override
        public void request(long count) {
            demand.addAndGet((int) count);
        }

        @Override
        public void cancel() {
            cancelled.countDown();
        }

        Flow.Subscriber<? super WebSocketMessage> subscriber() {
            if (subscriber == null) {
                throw new IllegalStateException("not subscribed");
            }
            return subscriber;
        }
    }

    @Test
    void asksForNoMoreWhileThePeerDoesNotRead() throws Exception {
        Asked asked = new Asked();
        WebSocketContractClient client = connect(streams -> asked.subscribe(streams.sender()));
        Deadline.await(opened);
        byte[] large = new byte[60_000];
        int sent = 0;
        while (asked.demand.get() > 0) {
            asked.demand.decrementAndGet();
            asked.subscriber().onNext(new WebSocketMessage.Binary(ByteBuffer.wrap(large)));
            sent++;
            assertTrue(sent < 10_000, "demand without end");
        }
        for (int i = 0; i < sent; i++) {
            assertEquals(60_000, client.receive().payload().length);
        }
        asked.subscriber().onComplete();
        assertEquals(1000, client.receive().code());
    }

    @Test
    void closesWith1011WhenThePublisherFails() throws Exception {
        Asked asked = new Asked();
        WebSocketContractClient client = connect(streams -> asked.subscribe(streams.sender()));
        Deadline.await(opened);
        asked.subscriber().onError(new IllegalStateException("by the test"));
        assertEquals(1011, client.receive().code());
    }

    @Test
    void cancelsThePublisherWhenTheConnectionEnds() throws Exception {
        Asked asked = new Asked();
        WebSocketContractClient client = connect(streams -> {
            streams.received().subscribe(new Noting());
            asked.subscribe(streams.sender());
        });
        Deadline.await(opened).connection().abort(new IOException("by the test"));
        Deadline.await(asked.cancelled);
        client.awaitEnd();
    }

    @Test
    void cancelsASecondPublisher() throws Exception {
        Asked second = new Asked();
        connect(streams -> {
            new Asked().subscribe(streams.sender());
            second.subscribe(streams.sender());
        });
        Deadline.await(second.cancelled);
        assertEquals(0, second.demand.get());
    }
}

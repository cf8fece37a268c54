package io.millrace.exchange;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.exchange.stream.ExchangeInputStream;
import io.millrace.exchange.stream.ExchangeOutputStream;
import io.millrace.http.Headers;
import io.millrace.http.HttpVersion;
import io.millrace.http.RequestHead;
import io.millrace.http.RequestPath;
import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The normal end of exchanges. All on the test's thread. */
@Timeout(60)
final class ExchangeEndTest {

    private final ExchangeFixture http = new ExchangeFixture();

    @AfterEach
    void stop() {
        http.close();
    }

    @Test
    void answersEmptyWhenTheHandlerDoesNothing() {
        http.run(exchange -> {});
        assertEquals(List.of("head+0 last", "end"), http.stream.events());
        assertEquals(200, http.stream.head().status());
        assertEquals(0, http.stream.head().contentLength());
    }

    @Test
    void announcesNoLengthOfAnUntouchedAnswerToHead() {
        http.dispatch(Requests.of("HEAD"), exchange -> {});
        assertEquals(-1, http.stream.head().contentLength());
    }

    @Test
    void announcesNoLengthOfARepresentationThatWasNotModified() {
        http.run(exchange -> exchange.response().status(304));
        assertEquals(-1, http.stream.head().contentLength());
    }

    @Test
    void leavesAHandlersOwnLengthAlone() {
        http.dispatch(Requests.of("HEAD"), exchange -> exchange.response().contentLength(1234));
        assertEquals(1234, http.stream.head().contentLength());
    }

    @Test
    void endsTheStreamAfterTheLastPiece() {
        http.run(exchange -> exchange.output().write(Requests.text("hello"), true, Completion.IGNORE));
        assertEquals(List.of("head+5 last", "end"), http.stream.events());
        assertEquals("hello", http.stream.received());
    }

    @Test
    void addsTheEndThatTheHandlerForgot() {
        http.run(exchange -> exchange.output().write(Requests.text("hello"), false, Completion.IGNORE));
        assertEquals(List.of("head+5", "0 last", "end"), http.stream.events());
    }

    @Test
    void waitsForThePieceThatIsOnItsWay() {
        http.stream.window(2);
        http.run(exchange -> exchange.output().write(Requests.text("hello"), false, Completion.IGNORE));
        assertEquals(List.of("head+5"), http.stream.events());
        http.stream.take(3);
        assertEquals(List.of("head+5", "0 last", "end"), http.stream.events());
    }

    @Test
    void holdsNoThreadWhileTheLastPieceIsOnItsWay() {
        http.stream.window(2);
        http.run(exchange -> exchange.output().write(Requests.text("hello"), true, Completion.IGNORE));
        assertEquals(0, http.outcomes.size());
        http.stream.take(3);
        assertEquals(List.of("head+5 last", "end"), http.stream.events());
        assertEquals(1, http.outcomes.size());
    }

    @Test
    void tellsItsListenersInOrderBeforeTheStream() {
        List<String> calls = new ArrayList<>();
        http.run(exchange -> {
            exchange.onEnd(outcome -> calls.add("first " + http.stream.events().contains("end")));
            exchange.onEnd(outcome -> {
                throw new IllegalStateException("a broken listener");
            });
            exchange.onEnd(outcome -> calls.add("last"));
        });
        assertEquals(List.of("first false", "last"), calls);
        assertTrue(http.stream.events().contains("end"));
    }

    @Test
    void countsWhatWasSent() {
        http.run(exchange -> {
            exchange.response().status(201);
            exchange.output()
                    .write(
                            Requests.text("12345"),
                            false,
                            done -> exchange.output().write(Requests.text("678"), true, Completion.IGNORE));
        });
        Outcome outcome = http.outcome();
        assertEquals(201, outcome.status());
        assertEquals(8, outcome.bytesSent());
        assertTrue(outcome.nanos() > 0);
        assertNull(outcome.failure());
    }

    @Test
    void makesATunnelOnceTheHandlerHasReturned() throws Exception {
        CountDownLatch drained = new CountDownLatch(1);
        RequestHead request = Requests.get().with("http", "host", new Headers().add("Cookie", "a=b"));
        http.dispatch(request, exchange -> {
            exchange.tunnel(new Echo(drained));
            assertEquals(List.of(), http.stream.events());
        });
        assertEquals(List.of("tunnel 101"), http.stream.events());
        assertEquals(Duration.ofSeconds(7), http.stream.tunnelTimeout);
        assertEquals(101, http.outcome().status());
        MemoryStream tunnel = requireNonNull(http.stream.tunnel);
        tunnel.awaitEnd();
        assertEquals("raw 0", tunnel.received());
        requireNonNull(tunnel.drainListener).run();
        assertTrue(drained.await(20, TimeUnit.SECONDS));
    }

    /** Echoes its input, and counts the header fields of its request. */
    private record Echo(CountDownLatch drained) implements TunnelHandler {
        @Override
        public void handle(HttpExchange exchange) throws IOException {
            ExchangeInputStream.of(exchange).transferTo(ExchangeOutputStream.of(exchange));
            String fields = " " + exchange.request().headers().size();
            ExchangeOutputStream.of(exchange).write(fields.getBytes(StandardCharsets.US_ASCII));
        }

        @Override
        public Duration idleTimeout() {
            return Duration.ofSeconds(7);
        }

        @Override
        public void drain() {
            drained.countDown();
        }
    }

    @Test
    void makesNoTunnelWhenTheHandlerThrows() {
        http.run(exchange -> {
            exchange.tunnel(new Echo(new CountDownLatch(1)));
            throw new IllegalStateException("after all");
        });
        assertEquals(500, http.stream.head().status());
        assertEquals("end", http.stream.events().get(1));
    }

    @Test
    void informsBeforeTheFinalHeadOnly() {
        http.run(exchange -> {
            Headers links = new Headers().add("Link", "</style.css>; rel=preload");
            assertTrue(exchange.output().inform(103, links));
            assertTrue(exchange.output().inform(103, links));
            exchange.output().write(Requests.text("12345"), false, Completion.IGNORE);
            assertThrows(IllegalStateException.class, () -> exchange.output().inform(103, links));
        });
        String informed = "inform 103 </style.css>; rel=preload";
        assertEquals(List.of(informed, informed, "head+5"), http.stream.events().subList(0, 3));
    }

    /** RFC 9110, 15.2. */
    @Test
    void informsNobodyInHttp10() {
        RequestHead old = new RequestHead(
                "GET",
                "/",
                new RequestPath("/", "/", null),
                null,
                HttpVersion.HTTP_1_0,
                "http",
                null,
                new Headers(),
                0);
        http.dispatch(old, exchange -> assertFalse(exchange.output().inform(103, new Headers())));
        assertEquals(List.of("head+0 last", "end"), http.stream.events());
    }

    @Test
    void readsNothingOnceItIsOver() {
        AtomicReference<BodySource> kept = new AtomicReference<>();
        http.run(exchange -> kept.set(exchange.input()));
        http.stream.supply("the next request's body");
        assertThrows(IOException.class, () -> requireNonNull(kept.get()).read());
    }

    @Test
    void lendsNothingToThoseWhoComeAfterItsEnd() {
        AtomicReference<HttpExchange> kept = new AtomicReference<>();
        http.run(kept::set);
        http.stream.supply("the next request's body");
        HttpExchange over = requireNonNull(kept.get());
        assertThrows(IOException.class, () -> ExchangeInputStream.of(over).read());
        assertThrows(IOException.class, () -> ExchangeOutputStream.of(over).write(1));
    }

    @Test
    void givesBackWhatAHandlerHadNotRead() throws IOException {
        http.stream.supply("abc").supplyEnd();
        http.run(exchange -> assertEquals('a', ExchangeInputStream.of(exchange).read()));
        assertEquals(0, http.stream.pool.outstanding());
        assertSame(Chunk.END, http.stream.read());
    }
}

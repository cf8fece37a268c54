package io.millrace.exchange;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.Connection;
import io.millrace.io.ConnectionHandler;
import io.millrace.protocol.Dispatcher;
import io.millrace.protocol.Protocol;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How exchanges end well. All on the test's thread. */
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
        List<String> told = new ArrayList<>();
        http.run(exchange -> {
            exchange.onEnd(outcome -> told.add("first " + http.stream.events().contains("end")));
            exchange.onEnd(outcome -> {
                throw new IllegalStateException("a broken listener");
            });
            exchange.onEnd(outcome -> told.add("last"));
        });
        assertEquals(List.of("first false", "last"), told);
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
    void switchesProtocolsOnceTheHandlerHasReturned() {
        Protocol next = new Nothing();
        http.run(exchange -> {
            exchange.switchTo(next);
            assertEquals(List.of(), http.stream.events());
        });
        assertEquals(List.of("switch 101"), http.stream.events());
        assertSame(next, http.stream.switchedTo);
        assertEquals(101, http.outcome().status());
    }

    @Test
    void doesNotSwitchWhenTheHandlerThrows() {
        http.run(exchange -> {
            exchange.switchTo(new Nothing());
            throw new IllegalStateException("after all");
        });
        assertEquals(500, http.stream.head().status());
        assertEquals("end", http.stream.events().get(1));
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
        assertThrows(IOException.class, () -> over.inputStream().read());
        assertThrows(IOException.class, () -> over.outputStream().write(1));
    }

    @Test
    void givesBackWhatAHandlerHadNotRead() throws IOException {
        http.stream.supply("abc").supplyEnd();
        http.run(exchange -> assertEquals('a', exchange.inputStream().read()));
        assertEquals(0, http.stream.pool.outstanding());
        assertSame(Chunk.END, http.stream.read());
    }

    private static final class Nothing implements Protocol {
        @Override
        public String id() {
            return "nothing";
        }

        @Override
        public Match match(ByteBuffer prefix) {
            return Match.NO;
        }

        @Override
        public ConnectionHandler open(Connection connection, @Nullable Chunk unread, Dispatcher dispatcher) {
            throw new UnsupportedOperationException("not here");
        }
    }
}

package io.millrace.exchange;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.io.Chunk;
import io.millrace.io.Completion;
import io.millrace.io.Connection;
import io.millrace.io.ConnectionHandler;
import io.millrace.io.Payload;
import io.millrace.io.Timers;
import io.millrace.protocol.Dispatcher;
import io.millrace.protocol.Protocol;
import io.millrace.protocol.ProtocolException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How exchanges end, well and badly. All on the test's thread. */
@Timeout(60)
final class ExchangeEndTest {

    private final Timers timers = new Timers("timers");
    private final MemoryStream stream = new MemoryStream();
    private final List<Outcome> outcomes = new ArrayList<>();
    private final List<AssertionError> failed = new ArrayList<>();

    @AfterEach
    void stop() {
        timers.close();
        assertEquals(0, stream.pool.outstanding());
    }

    @Test
    void answersEmptyWhenTheHandlerDoesNothing() {
        run(exchange -> {});
        assertEquals(List.of("head+0 last", "end"), stream.events());
        assertEquals(200, stream.head().status());
        assertEquals(0, stream.head().contentLength());
    }

    @Test
    void announcesNoLengthOfAnUntouchedAnswerToHead() {
        dispatcher(exchange -> {}).dispatch(Requests.of("HEAD"), stream);
        assertEquals(-1, stream.head().contentLength());
    }

    @Test
    void leavesAHandlersOwnLengthAlone() {
        dispatcher(exchange -> exchange.response().contentLength(1234)).dispatch(Requests.of("HEAD"), stream);
        assertEquals(1234, stream.head().contentLength());
    }

    @Test
    void endsTheStreamAfterTheLastPiece() {
        run(exchange -> exchange.output().write(Requests.text("hello"), true, Completion.IGNORE));
        assertEquals(List.of("head+5 last", "end"), stream.events());
        assertEquals("hello", stream.received());
    }

    @Test
    void addsTheEndThatTheHandlerForgot() {
        run(exchange -> exchange.output().write(Requests.text("hello"), false, Completion.IGNORE));
        assertEquals(List.of("head+5", "0 last", "end"), stream.events());
    }

    @Test
    void waitsForThePieceThatIsOnItsWay() {
        stream.window(2);
        run(exchange -> exchange.output().write(Requests.text("hello"), false, Completion.IGNORE));
        assertEquals(List.of("head+5"), stream.events());
        stream.take(3);
        assertEquals(List.of("head+5", "0 last", "end"), stream.events());
    }

    @Test
    void holdsNoThreadWhileTheLastPieceIsOnItsWay() {
        stream.window(2);
        run(exchange -> exchange.output().write(Requests.text("hello"), true, Completion.IGNORE));
        assertEquals(0, outcomes.size());
        stream.take(3);
        assertEquals(List.of("head+5 last", "end"), stream.events());
        assertEquals(1, outcomes.size());
    }

    @Test
    void tellsItsListenersInOrderBeforeTheStream() {
        List<String> told = new ArrayList<>();
        run(exchange -> {
            exchange.onEnd(outcome -> told.add("first " + stream.events().contains("end")));
            exchange.onEnd(outcome -> {
                throw new IllegalStateException("a broken listener");
            });
            exchange.onEnd(outcome -> told.add("last"));
        });
        assertEquals(List.of("first false", "last"), told);
        assertTrue(stream.events().contains("end"));
    }

    @Test
    void countsWhatWasSent() {
        run(exchange -> {
            exchange.response().status(201);
            exchange.output()
                    .write(
                            Requests.text("12345"),
                            false,
                            done -> exchange.output().write(Requests.text("678"), true, Completion.IGNORE));
        });
        Outcome outcome = outcome();
        assertEquals(201, outcome.status());
        assertEquals(8, outcome.bytesSent());
        assertTrue(outcome.nanos() > 0);
        assertNull(outcome.failure());
    }

    @Test
    void answers500WithoutTheReasonWhenAHandlerThrows() {
        RuntimeException failure = new RuntimeException("a secret");
        run(exchange -> {
            exchange.response().status(201).headers().add("X-Half", "done");
            exchange.outputStream().write(new byte[100]);
            throw failure;
        });
        assertEquals(500, stream.head().status());
        assertFalse(stream.head().headers().contains("X-Half"));
        assertFalse(stream.received().contains("secret"));
        assertEquals(stream.received().length(), stream.head().contentLength());
        assertEquals("end", stream.events().get(1));
        assertSame(failure, outcome().failure());
        assertEquals(500, outcome().status());
    }

    @Test
    void survivesErrorsToo() {
        run(exchange -> {
            throw new StackOverflowError();
        });
        assertEquals(500, stream.head().status());
    }

    @Test
    void abortsWhenAHandlerThrowsInTheMiddleOfItsResponse() {
        IOException failure = new IOException("the disk is gone");
        run(exchange -> {
            exchange.output().write(Requests.text("half"), false, Completion.IGNORE);
            throw failure;
        });
        assertEquals(List.of("head+4", "abort"), stream.events());
        assertSame(failure, stream.aborted);
        assertEquals(200, outcome().status());
    }

    @Test
    void keepsAResponseThatWasCompleteBeforeTheHandlerThrew() {
        run(exchange -> {
            exchange.output().write(Requests.text("whole"), true, Completion.IGNORE);
            throw new IllegalStateException("too late");
        });
        assertEquals(List.of("head+5 last", "end"), stream.events());
        assertNotNull(outcome().failure());
    }

    @Test
    void keepsAStreamThatWasClosedBeforeTheHandlerThrew() {
        stream.window(2);
        run(exchange -> {
            exchange.outputStream().write("whole".getBytes(StandardCharsets.US_ASCII));
            exchange.outputStream().flush();
            exchange.outputStream().write('!');
            exchange.outputStream().close();
            throw new IllegalStateException("too late");
        });
        stream.take(4);
        assertEquals(List.of("head+5", "1 last", "end"), stream.events());
    }

    @Test
    void answersARefusalWithItsStatus() {
        stream.supplyFailure(new ProtocolException(413, "4 GB, the limit is 2 MB (maxPostSize)"));
        run(exchange -> exchange.inputStream().read());
        assertEquals(413, stream.head().status());
        assertEquals("end", stream.events().get(1));
    }

    @Test
    void findsTheRefusalBehindAFrameworksException() {
        stream.supplyFailure(new ProtocolException(400, "bad chunk"));
        run(exchange -> {
            try {
                exchange.inputStream().read();
            } catch (IOException refused) {
                throw new IllegalArgumentException("can't parse", refused);
            }
        });
        assertEquals(400, stream.head().status());
    }

    @Test
    void takesAHandlersOwnIoTroubleForAFailureOfOurs() {
        run(exchange -> {
            throw new FileNotFoundException("template.html");
        });
        assertEquals(500, stream.head().status());
    }

    @Test
    void calls499WhenTheClientWasGoneBeforeItGotAnything() {
        stream.breakOff(new IOException("Connection reset"));
        run(exchange -> exchange.output().write(Requests.text("hello"), true, Completion.IGNORE));
        assertEquals(499, outcome().status());
        assertEquals(0, outcome().bytesSent());
        assertNotNull(outcome().failure());
        assertEquals("abort", stream.events().get(1));
    }

    @Test
    void calls499WhenTheClientWasGoneWhileItSent() {
        run(exchange -> {
            stream.breakOff(new IOException("Connection reset"));
            exchange.inputStream().read();
        });
        assertEquals(499, outcome().status());
        assertEquals(List.of("abort"), stream.events());
    }

    @Test
    void failsWritesAfterAFailedOneQuietly() {
        stream.breakOff(new IOException("Connection reset"));
        List<@Nullable Throwable> told = new ArrayList<>();
        run(exchange -> {
            exchange.output().write(Requests.text("one"), false, told::add);
            exchange.output().write(Requests.text("two"), true, told::add);
        });
        assertEquals(2, told.size());
        assertTrue(told.get(1) instanceof ClientClosedException);
        assertEquals(List.of("head+3", "abort"), stream.events());
    }

    @Test
    void failsASuspendedExchange() {
        run(exchange -> exchange.suspend(Duration.ZERO, late -> {}).fail(new IllegalStateException("backend down")));
        assertEquals(500, stream.head().status());
    }

    @Test
    void letsAThrowAfterSuspendingEndTheExchange() {
        AtomicReference<Suspension> ticket = new AtomicReference<>();
        run(exchange -> {
            ticket.set(exchange.suspend(Duration.ofMinutes(1), late -> {}));
            throw new IllegalStateException("after all");
        });
        assertEquals(500, stream.head().status());
        assertFalse(requireNonNull(ticket.get()).complete());
    }

    @Test
    void letsAThrowAfterDispatchingEndTheExchange() {
        run(exchange -> {
            exchange.dispatch(next -> next.response().status(204));
            throw new IllegalStateException("after all");
        });
        assertEquals(500, stream.head().status());
    }

    @Test
    void endsASuspendedExchangeThatIsAborted() {
        AtomicReference<HttpExchange> seen = new AtomicReference<>();
        run(exchange -> {
            seen.set(exchange);
            exchange.suspend(Duration.ZERO, late -> {});
        });
        requireNonNull(seen.get()).abort(new IOException("the server stops"));
        assertEquals(1, outcomes.size());
        assertTrue(stream.events().contains("abort"));
        assertFalse(stream.events().contains("end"));
    }

    @Test
    void endsASuspendedExchangeWhoseConnectionCloses() {
        AtomicReference<Suspension> ticket = new AtomicReference<>();
        run(exchange -> ticket.set(exchange.suspend(Duration.ZERO, late -> {})));
        assertEquals(0, outcomes.size());
        stream.breakOff(new IOException("connection reset"));
        assertEquals(499, outcome().status());
        assertInstanceOf(ClientClosedException.class, outcome().failure());
        assertFalse(requireNonNull(ticket.get()).complete());
        assertEquals(List.of("abort"), stream.events());
    }

    @Test
    void endsAnExchangeThatIsSuspendedAfterItsConnectionClosed() {
        run(exchange -> {
            stream.breakOff(new IOException("connection reset"));
            exchange.suspend(Duration.ZERO, late -> {});
        });
        assertEquals(499, outcome().status());
    }

    @Test
    void endsAnExchangeThatIsSuspendedAgainAfterItsConnectionClosed() {
        run(exchange -> {
            Suspension first = exchange.suspend(Duration.ZERO, late -> {});
            first.resume(next -> {
                stream.breakOff(new IOException("connection reset"));
                next.suspend(Duration.ZERO, late -> {});
            });
        });
        assertEquals(499, outcome().status());
    }

    @Test
    void leavesASuspensionAloneWhenTheClientHadTheWholeResponse() {
        AtomicReference<Suspension> ticket = new AtomicReference<>();
        run(exchange -> {
            exchange.output().write(Requests.text("hello"), true, Completion.IGNORE);
            ticket.set(exchange.suspend(Duration.ZERO, late -> {}));
        });
        stream.breakOff(new IOException("connection reset"));
        assertEquals(0, outcomes.size());
        assertTrue(requireNonNull(ticket.get()).complete());
        assertEquals(200, outcome().status());
    }

    @Test
    void switchesProtocolsOnceTheHandlerHasReturned() {
        Protocol next = new Nothing();
        run(exchange -> {
            exchange.switchTo(next);
            assertEquals(List.of(), stream.events());
        });
        assertEquals(List.of("switch 101"), stream.events());
        assertSame(next, stream.switchedTo);
        assertEquals(101, outcome().status());
    }

    @Test
    void doesNotSwitchWhenTheHandlerThrows() {
        run(exchange -> {
            exchange.switchTo(new Nothing());
            throw new IllegalStateException("after all");
        });
        assertEquals(500, stream.head().status());
        assertEquals("end", stream.events().get(1));
    }

    @Test
    void readsNothingOnceItIsOver() {
        AtomicReference<BodySource> kept = new AtomicReference<>();
        run(exchange -> kept.set(exchange.input()));
        stream.supply("the next request's body");
        assertThrows(IOException.class, () -> requireNonNull(kept.get()).read());
    }

    @Test
    void lendsNothingToThoseWhoComeAfterItsEnd() {
        AtomicReference<HttpExchange> kept = new AtomicReference<>();
        run(kept::set);
        stream.supply("the next request's body");
        HttpExchange over = requireNonNull(kept.get());
        assertThrows(IOException.class, () -> over.inputStream().read());
        assertThrows(IOException.class, () -> over.outputStream().write(1));
    }

    @Test
    void givesBackWhatAHandlerHadNotRead() throws IOException {
        stream.supply("abc").supplyEnd();
        run(exchange -> assertEquals('a', exchange.inputStream().read()));
        assertEquals(0, stream.pool.outstanding());
        assertSame(Chunk.END, stream.read());
    }

    @Test
    void sendsTheErrorPageOfItsResponder() {
        ErrorResponder responder = (exchange, status, failure) ->
                Payload.of(ByteBuffer.wrap(new byte[] {'n', 'o', (byte) ('0' + status / 100)}));
        new ExchangeDispatcher(
                        exchange -> {
                            throw new IllegalStateException("oops");
                        },
                        new InPlace(),
                        timers,
                        new ExchangeOptions(1, responder))
                .dispatch(Requests.get(), stream);
        assertEquals("no5", stream.received());
        assertEquals(3, stream.head().contentLength());
    }

    @Test
    void answersEvenIfItsErrorPageFails() {
        ErrorResponder responder = (exchange, status, failure) -> {
            throw new IllegalStateException("broken too");
        };
        new ExchangeDispatcher(
                        exchange -> {
                            throw new IllegalStateException("oops");
                        },
                        new InPlace(),
                        timers,
                        new ExchangeOptions(1, responder))
                .dispatch(Requests.get(), stream);
        assertEquals(500, stream.head().status());
        assertEquals(0, stream.head().contentLength());
    }

    private Outcome outcome() {
        assertEquals(1, outcomes.size());
        return outcomes.get(0);
    }

    private ExchangeDispatcher dispatcher(HttpHandler handler) {
        HttpHandler listening = exchange -> {
            exchange.onEnd(outcomes::add);
            Requests.asserting(handler, failed).handle(exchange);
        };
        return new ExchangeDispatcher(listening, new InPlace(), timers, ExchangeOptions.defaults());
    }

    private void run(HttpHandler handler) {
        dispatcher(handler).dispatch(Requests.get(), stream);
        assertEquals(List.of(), failed);
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

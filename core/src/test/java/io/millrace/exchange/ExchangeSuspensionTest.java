package io.millrace.exchange;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.io.Completion;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The end of suspended exchanges. All on the test's thread. */
@Timeout(60)
final class ExchangeSuspensionTest {

    private final ExchangeFixture http = new ExchangeFixture();

    @AfterEach
    void stop() {
        http.close();
    }

    @Test
    void failsASuspendedExchange() {
        http.run(exchange ->
                exchange.suspend(Duration.ZERO, late -> {}).fail(new IllegalStateException("backend down")));
        assertEquals(500, http.stream.head().status());
    }

    @Test
    void letsAThrowAfterSuspendingEndTheExchange() {
        AtomicReference<Suspension> ticket = new AtomicReference<>();
        http.run(exchange -> {
            ticket.set(exchange.suspend(Duration.ofMinutes(1), late -> {}));
            throw new IllegalStateException("after all");
        });
        assertEquals(500, http.stream.head().status());
        assertFalse(requireNonNull(ticket.get()).complete());
    }

    @Test
    void endsASuspendedExchangeThatIsAborted() {
        AtomicReference<HttpExchange> seen = new AtomicReference<>();
        http.run(exchange -> {
            seen.set(exchange);
            exchange.suspend(Duration.ZERO, late -> {});
        });
        requireNonNull(seen.get()).abort(new IOException("the server stops"));
        assertEquals(1, http.outcomes.size());
        assertTrue(http.stream.events().contains("abort"));
        assertFalse(http.stream.events().contains("end"));
    }

    @Test
    void endsASuspendedExchangeWhoseConnectionCloses() {
        AtomicReference<Suspension> ticket = new AtomicReference<>();
        http.run(exchange -> ticket.set(exchange.suspend(Duration.ZERO, late -> {})));
        assertEquals(0, http.outcomes.size());
        http.stream.breakOff(new IOException("connection reset"));
        assertEquals(499, http.outcome().status());
        assertInstanceOf(ClientClosedException.class, http.outcome().failure());
        assertFalse(requireNonNull(ticket.get()).complete());
        assertEquals(List.of("abort"), http.stream.events());
    }

    @Test
    void endsAnExchangeThatIsSuspendedAfterItsConnectionClosed() {
        http.run(exchange -> {
            http.stream.breakOff(new IOException("connection reset"));
            exchange.suspend(Duration.ZERO, late -> {});
        });
        assertEquals(499, http.outcome().status());
    }

    @Test
    void endsAnExchangeThatIsSuspendedAgainAfterItsConnectionClosed() {
        http.run(exchange -> {
            Suspension first = exchange.suspend(Duration.ZERO, late -> {});
            first.resume(next -> {
                http.stream.breakOff(new IOException("connection reset"));
                next.suspend(Duration.ZERO, late -> {});
            });
        });
        assertEquals(499, http.outcome().status());
    }

    @Test
    void leavesASuspensionAloneWhenTheClientHadTheWholeResponse() {
        AtomicReference<Suspension> ticket = new AtomicReference<>();
        http.run(exchange -> {
            exchange.output().write(Requests.text("hello"), true, Completion.IGNORE);
            ticket.set(exchange.suspend(Duration.ZERO, late -> {}));
        });
        http.stream.breakOff(new IOException("connection reset"));
        assertEquals(0, http.outcomes.size());
        assertTrue(requireNonNull(ticket.get()).complete());
        assertEquals(200, http.outcome().status());
    }
}

package io.millrace.handler;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.NonBlockingHandler;
import io.millrace.exchange.TunnelHandler;
import io.millrace.io.Timers;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A limit of the time of requests … */
class RequestTimeoutTest {

    private static final Duration LIMIT = Duration.ofMinutes(1);

    private static boolean isAborted(HttpHandler handler) throws InterruptedException {
        try (Timers timers = new Timers("test-limit")) {
            MemoryStream response = Asked.get("/").of(RequestTimeout.of(LIMIT).wrap(handler), timers);
            AtomicInteger aborted = new AtomicInteger();
            response.onAbort(cause -> aborted.incrementAndGet());
            CountDownLatch later = new CountDownLatch(1);
            timers.schedule(later::countDown, LIMIT.multipliedBy(2));
            timers.advance(LIMIT.multipliedBy(3));
            assertTrue(later.await(10, TimeUnit.SECONDS));
            return aborted.get() > 0;
        }
    }

    @Test
    void endsAtTheResponse() throws InterruptedException {
        NonBlockingHandler answering = exchange -> Responses.text(exchange, 200, "in time");
        assertFalse(isAborted(answering));
    }

    @Test
    void endsAtAnUpgradeSoThatItDoesNotBoundAWebSocket() throws InterruptedException {
        TunnelHandler tunnel = exchange -> {};
        NonBlockingHandler upgrading = exchange -> exchange.tunnel(tunnel);
        assertFalse(isAborted(upgrading));
    }

    @Test
    void boundsARequestThatIsSuspended() throws InterruptedException {
        NonBlockingHandler suspending = exchange -> exchange.suspend(Duration.ZERO, late -> {});
        assertTrue(isAborted(suspending));
    }
}

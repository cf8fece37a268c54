package io.millrace.handler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.NonBlockingHandler;
import io.millrace.net.ClientNetwork;
import io.millrace.net.IpLiteral;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A rate limit … */
class RateLimitTest {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final AtomicLong clock = new AtomicLong(1000);
    private final NonBlockingHandler hello = exchange -> Responses.text(exchange, 200, "hello");

    private HttpHandler limit(int requests, int burst) {
        return RateLimit.of(requests, Duration.ofSeconds(1), burst, RateLimit.CLIENTS, clock::get)
                .wrap(hello);
    }

    @Test
    void refusesWhatExceedsItSayingWhenToComeAgain() {
        HttpHandler limited = limit(1, 2);
        assertEquals(200, Asked.get("/").of(limited).status());
        assertEquals(200, Asked.get("/").of(limited).status());
        MemoryStream refused = Asked.get("/").of(limited);
        assertEquals(429, refused.status());
        assertEquals("1", refused.header("Retry-After"));
        clock.addAndGet(SECOND - 1);
        assertEquals(429, Asked.get("/").of(limited).status());
        clock.addAndGet(1);
        assertEquals(200, Asked.get("/").of(limited).status());
        assertEquals(429, Asked.get("/").of(limited).status());
    }

    @Test
    void refusesWithoutAWorker() {
        AtomicInteger tasks = new AtomicInteger();
        HttpHandler limited = limit(1, 1);
        Asked.get("/").of(limited);
        assertEquals(429, Asked.get("/").counting(tasks).of(limited).status());
        assertEquals(0, tasks.get());
    }

    @Test
    void countsARequestThatPassesItTwiceOnce() {
        RateLimit limit = RateLimit.of(1, Duration.ofHours(1));
        assertEquals(200, Asked.get("/").of(limit.wrap(limit.wrap(hello))).status());
    }

    @Test
    void doesNotGrowWithAMillionClientsNorForgetsWhoExceedsIt() {
        RateLimit.Buckets buckets = new RateLimit.Buckets(SECOND, 3, 1 << 12, clock::get);
        int places = buckets.places();
        long granted = 0;
        for (long client = 1; client <= 1_000_000; client++) {
            granted += buckets.take(client) == 0 ? 1 : 0;
        }
        assertEquals(places, buckets.places());
        assertTrue(granted <= 3L * places, "so many requests were granted: " + granted);
        assertNotEquals(0, buckets.take(77));
        clock.addAndGet(3 * SECOND);
        assertEquals(0, buckets.take(77));
    }

    @Test
    void tellsClientsApartAsLongAsThereIsRoom() {
        RateLimit.Buckets buckets = new RateLimit.Buckets(SECOND, 1, 1 << 12, clock::get);
        for (long client = 1; client <= 200; client++) {
            assertEquals(0, buckets.take(client), "client " + client);
            assertNotEquals(0, buckets.take(client));
        }
    }

    @Test
    void takesAnIpv6NetworkForOneClient() {
        assertEquals(network("2001:db8:1:2::1"), network("2001:db8:1:2:ffff::7"));
        assertNotEquals(network("2001:db8:1:2::1"), network("2001:db8:1:3::1"));
        assertNotEquals(network("192.0.2.1"), network("192.0.2.2"));
        assertEquals("192.0.2.1", ClientNetwork.of("192.0.2.1"));
        assertEquals(ClientNetwork.of("2001:db8:1:2::1"), ClientNetwork.of("2001:db8:1:2:3::%eth0"));
        assertEquals("192.0.2.1", ClientNetwork.of("::ffff:192.0.2.1"));
        assertEquals("no:address", ClientNetwork.of("no:address"));
    }

    private static long network(String address) {
        return ClientNetwork.of(Objects.requireNonNull(IpLiteral.parse(address)));
    }

    @Test
    void refusesLimitsThatAreNone() {
        assertThrows(IllegalArgumentException.class, () -> RateLimit.of(0, Duration.ofSeconds(1)));
        assertThrows(IllegalArgumentException.class, () -> RateLimit.of(1, Duration.ZERO));
        assertThrows(IllegalArgumentException.class, () -> RateLimit.of(1, Duration.ofDays(2)));
        assertThrows(IllegalArgumentException.class, () -> RateLimit.of(1, Duration.ofSeconds(1), 0));
        assertThrows(IllegalArgumentException.class, () -> RateLimit.of(1, Duration.ofSeconds(1), 1, 0));
        assertNull(Asked.get("/").of(limit(1, 1)).header("Retry-After"));
    }
}

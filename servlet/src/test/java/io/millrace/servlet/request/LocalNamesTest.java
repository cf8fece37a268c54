package io.millrace.servlet.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The name of a local address … */
final class LocalNamesTest {

    private final AtomicInteger queries = new AtomicInteger();
    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);
    private final LocalNames names = new LocalNames(address -> "name" + queries.incrementAndGet(), now::get);

    @Test
    void isLocalhostForLoopbackAddresses() throws UnknownHostException {
        assertEquals("localhost", names.of(InetAddress.getByAddress(new byte[] {127, 0, 0, 1})));
        byte[] ipv6Loopback = new byte[16];
        ipv6Loopback[15] = 1;
        assertEquals("localhost", names.of(InetAddress.getByAddress(ipv6Loopback)));
        assertEquals(0, queries.get());
    }

    @Test
    void isLookedUpOnce() {
        assertEquals("name1", names.of(address(1)));
        assertEquals("name1", names.of(address(1)));
        assertEquals("name2", names.of(address(2)));
    }

    @Test
    void isLookedUpAgainAfterFiveMinutes() {
        names.of(address(1));
        now.addAndGet(Duration.ofMinutes(5).toNanos() - 1);
        assertEquals("name1", names.of(address(1)));
        now.addAndGet(1);
        assertEquals("name2", names.of(address(1)));
    }

    @Test
    void isThePreviousOneWhileTheNameServiceIsSlow() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        LocalNames slow = new LocalNames(
                address -> {
                    if (queries.incrementAndGet() == 2) {
                        asked.countDown();
                        await(answer);
                    }
                    return "name" + queries;
                },
                now::get);
        slow.of(address(1));
        now.addAndGet(Duration.ofMinutes(5).toNanos());
        CompletableFuture<String> asking = CompletableFuture.supplyAsync(() -> slow.of(address(1)));
        await(asked);
        assertEquals("name1", slow.of(address(1)));
        answer.countDown();
        assertEquals("name2", asking.get(30, TimeUnit.SECONDS));
    }

    @Test
    void isTheAddressWhereAFrontEndNamesTooMany() {
        for (int i = 0; i < 256; i++) {
            names.of(address(i));
        }
        assertEquals("10.0.1.44", names.of(address(300)));
        assertEquals("name1", names.of(address(0)), "the first ones are kept");
    }

    private static void await(CountDownLatch latch) {
        try {
            assertTrue(latch.await(30, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static InetAddress address(int i) {
        try {
            return InetAddress.getByAddress(new byte[] {10, 0, (byte) (i >> 8), (byte) i});
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }
}

package io.millrace.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An address whose requests are aborted … */
final class AbortedRequestsTest {

    private static final int MOST = 30;
    private static final ConnectionInfo CLIENT = from(new InetSocketAddress("192.0.2.1", 1));
    private static final ConnectionInfo OTHER = from(new InetSocketAddress("192.0.2.2", 1));

    private final AbortedRequests aborted = new AbortedRequests();
    private long now = -5;

    AbortedRequestsTest() {
        aborted.limit(MOST, false);
    }

    @Test
    void isAboveTheLimitAfterMoreThanSoManyAndNoOtherAddressIs() {
        abort(CLIENT, MOST);
        assertFalse(isAbove(CLIENT));

        abort(CLIENT, 1);

        assertTrue(isAbove(CLIENT));
        assertTrue(isAbove(from(new InetSocketAddress("192.0.2.1", 2))));
        assertFalse(isAbove(OTHER));
    }

    @Test
    void isForgivenAsTimePasses() {
        abort(CLIENT, MOST + 2 * AbortedRequests.FORGIVEN_PER_SECOND);
        now += TimeUnit.SECONDS.toNanos(1);
        assertTrue(isAbove(CLIENT));

        now += TimeUnit.SECONDS.toNanos(1);

        assertFalse(isAbove(CLIENT));
    }

    /** As a front end's, or that of a network with many users. */
    @Test
    void isNeverAboveItWhileFourTimesAsManyRequestsAreAnswered() {
        for (int i = 0; i < 100 * MOST; i++) {
            now += TimeUnit.MILLISECONDS.toNanos(10);
            abort(CLIENT, 1);
            LongStream.range(0, AbortedRequests.ANSWERS).forEach(answer -> aborted.answered(CLIENT, now));
        }

        assertFalse(isAbove(CLIENT));
    }

    @Test
    void cannotAnswerInAdvanceForLater() {
        abort(CLIENT, 1);
        LongStream.range(0, 100 * MOST).forEach(i -> aborted.answered(CLIENT, now));

        abort(CLIENT, MOST + 1);

        assertTrue(isAbove(CLIENT));
    }

    /** As event streams and long downloads, which a client closes when it has enough. */
    @Test
    void isNotMeantIfItsClientsLeaveAfterAWhile() {
        LongStream.range(0, 100 * MOST).forEach(i -> aborted.aborted(CLIENT, AbortedRequests.SOON + 1, now));

        assertFalse(isAbove(CLIENT));
    }

    @Test
    void isNeverAboveItWithoutALimit() {
        aborted.limit(Integer.MAX_VALUE, false);

        abort(CLIENT, 1_000_000);

        assertFalse(isAbove(CLIENT));
    }

    /** As a load generator with a thousand connections that ends, or a front end that is restarted. */
    @Test
    void isAboveItOnlyIfItGoesOn() {
        aborted.limit(200, false);
        abort(CLIENT, 1_000);
        now += TimeUnit.SECONDS.toNanos(1);
        abort(CLIENT, 1_000);
        assertFalse(isAbove(CLIENT));

        now += TimeUnit.SECONDS.toNanos(1);
        abort(CLIENT, 1_000);

        assertTrue(isAbove(CLIENT));
    }

    @Test
    void isForgottenAfterAMinuteHoweverOftenItDidIt() {
        for (int i = 0; i < 200; i++) {
            now += TimeUnit.SECONDS.toNanos(1);
            abort(CLIENT, AbortedRequests.AT_ONCE);
        }
        now += TimeUnit.SECONDS.toNanos(50);
        assertTrue(isAbove(CLIENT));

        now += TimeUnit.SECONDS.toNanos(10);

        assertFalse(isAbove(CLIENT));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1",
                "10.1.2.3",
                "192.168.1.2",
                "172.16.0.1",
                "100.64.0.1",
                "169.254.1.1",
                "::1",
                "fe80::1",
                "fd00::1"
            })
    void isNotMeantWhereFrontEndsAreUnlessTold(String address) {
        ConnectionInfo frontEnd = from(new InetSocketAddress(address, 1));
        aborted.limit(MOST, true);

        abort(frontEnd, MOST + 1);
        abort(CLIENT, MOST + 1);

        assertEquals("false true", isAbove(frontEnd) + " " + isAbove(CLIENT));
    }

    @Test
    void isTheFirst64BitsOfAnIpv6Address() {
        abort(from(new InetSocketAddress("2001:db8::1", 1)), MOST + 1);

        assertTrue(isAbove(from(new InetSocketAddress("2001:db8::ffff:2", 1))));
        assertFalse(isAbove(from(new InetSocketAddress("2001:db8:0:1::1", 1))));
    }

    @Test
    void isNoneBehindAUnixDomainSocket() {
        ConnectionInfo local = from(UnixDomainSocketAddress.of("/run/x"));
        abort(local, MOST + 1);

        assertFalse(isAbove(local));
    }

    @Test
    void takesTheRoomOfOneThatIsForgivenAndOtherwiseIsNotRemembered() {
        for (int i = 0; i < AbortedRequests.MAX_ADDRESSES; i++) {
            abort(from(new InetSocketAddress("10.0." + i / 256 + "." + i % 256, 1)), 1);
        }
        abort(CLIENT, MOST + 1);
        boolean remembered = isAbove(CLIENT);

        now += TimeUnit.SECONDS.toNanos(1);
        abort(CLIENT, MOST + 1);

        assertEquals("false true", remembered + " " + isAbove(CLIENT));
    }

    private void abort(ConnectionInfo client, int times) {
        LongStream.range(0, times).forEach(i -> aborted.aborted(client, 0, now));
    }

    private boolean isAbove(ConnectionInfo client) {
        return aborted.isAbove(client, now);
    }

    private static ConnectionInfo from(SocketAddress remote) {
        return new Info(remote);
    }

    private record Info(SocketAddress remote) implements ConnectionInfo {
        @Override
        public SocketAddress local() {
            return remote;
        }
    }
}

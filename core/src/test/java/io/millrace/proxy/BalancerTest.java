package io.millrace.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.client.ClientException;
import io.millrace.client.ClientException.Processed;
import io.millrace.client.ClientException.Reason;
import io.millrace.client.Destination;
import io.millrace.client.PoolLimits;
import io.millrace.client.SessionListener;
import io.millrace.client.SessionPool;
import io.millrace.http.EncodedSlash;
import io.millrace.http.Headers;
import io.millrace.http.HttpVersion;
import io.millrace.http.RequestHead;
import io.millrace.http.RequestPath;
import io.millrace.io.Connection;
import io.millrace.io.Dialer;
import io.millrace.io.Timers;
import io.millrace.settings.Settings;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The choice of a backend. It … */
final class BalancerTest {

    private final AtomicLong now = new AtomicLong();
    private final Timers timers = new Timers("unused");
    private final Backend one = backend("http://a:1?route=one");
    private final Backend two = backend("http://b:1?route=two");
    private final Backend three = backend("http://c:1?route=three&weight=3");
    private final Balancer balancer = new Balancer(List.of(one, two, three), "JSESSIONID", new Random(1)::nextInt);

    private Backend backend(String uri) {
        BackendAddress address = BackendAddress.parse(uri);
        Dialer nobody = new Dialer() {
            @Override
            public Dial connect(SocketAddress to, Duration timeout, Listener listener) {
                throw new UnsupportedOperationException();
            }

            @Override
            public int connections() {
                return 0;
            }

            @Override
            public CompletionStage<Void> stop(Duration grace) {
                return CompletableFuture.completedFuture(null);
            }
        };
        SessionPool pool = new SessionPool(
                new Destination(address.address(), null),
                (Connection connection, SessionListener listener) -> {
                    throw new UnsupportedOperationException();
                },
                PoolLimits.DEFAULT,
                nobody,
                Runnable::run,
                timers);
        return new Backend(address, pool, Settings.DEFAULTS, now::get);
    }

    private static RequestHead request(String path, String cookie) {
        RequestPath parsed = Objects.requireNonNull(RequestPath.parse(path, EncodedSlash.REJECT));
        Headers headers = new Headers().add("Cookie", cookie);
        return new RequestHead("GET", path, parsed, null, HttpVersion.HTTP_1_1, "http", "x", headers, 0);
    }

    private @Nullable Backend choose(Backend... tried) {
        return balancer.choose(request("/", "a=b"), Set.of(tried));
    }

    private static void fail(Backend backend, int times) {
        for (int i = 0; i < times; i++) {
            backend.failed(new ClientException(Reason.DIAL, Processed.NO, "refused", null));
        }
    }

    private static void refuse(Backend backend) {
        backend.failed(new ClientException(Reason.REFUSED, Processed.NO, "refused", null));
    }

    /** It has no requests, since it refuses them, and so looks idle. */
    @Test
    void passesOverABackendThatRefusesEverythingWhileOthersDoNot() {
        one.begin();
        two.begin();
        refuse(three);
        for (int i = 0; i < 100; i++) {
            assertNotEquals(three, choose());
        }
        now.addAndGet(Duration.ofMillis(999).toNanos());
        assertNotEquals(three, choose());
        assertEquals(BackendState.UP, three.state());
        refuse(one);
        assertEquals(two, choose());
        assertNotNull(choose(two), "all that are left refuse");
        now.addAndGet(Duration.ofMillis(1).toNanos());
        assertTrue(draws(three));
    }

    /** A connection that ends in good order refuses the requests that its end met, and the next connection serves others. */
    @Test
    void usesABackendThatHasAnsweredSinceItRefused() {
        refuse(three);
        three.succeeded();
        assertTrue(draws(three));
    }

    private boolean draws(Backend wanted) {
        for (int i = 0; i < 100; i++) {
            if (wanted.equals(choose())) {
                return true;
            }
        }
        return false;
    }

    @Test
    void givesEachItsShareByItsWeight() {
        int[] shares = new int[3];
        for (int i = 0; i < 5000; i++) {
            Backend chosen = choose();
            assertNotNull(chosen);
            chosen.begin();
            shares[chosen == one ? 0 : chosen == two ? 1 : 2]++;
        }
        assertEquals(1000, shares[0], 30);
        assertEquals(1000, shares[1], 30);
        assertEquals(3000, shares[2], 30);
    }

    @ParameterizedTest
    @CsvSource({
        "/, a=b; JSESSIONID=12.34.two; c=d",
        "/, JSESSIONID=\"x.two\"",
        "/a;jsessionid=5.two/b, a=b",
        "/a;jsessionid=5.two, JSESSIONID=1.one"
    })
    void findsTheBackendThatHasTheSession(String path, String cookie) {
        for (int i = 0; i < 20; i++) {
            assertSame(two, balancer.choose(request(path, cookie), Set.of()));
        }
        fail(two, 5);
        assertFalse(balancer.choose(request(path, cookie), Set.of()) == two);
    }

    @Test
    void asksAnotherIfThereIsOne() {
        assertSame(three, choose(one, two));
        assertTrue(List.of(one, two, three).contains(choose(one, two, three)));
    }

    @Test
    void leavesABackendAloneThatFailsAndLetsOneRequestThroughLater() {
        fail(one, 4);
        assertEquals(BackendState.UP, one.state());
        one.succeeded();
        fail(one, 4);
        assertEquals(BackendState.UP, one.state());
        fail(one, 1);
        assertEquals(BackendState.EJECTED, one.state());
        passes(30);
        assertSame(one, choose());
        assertTrue(one.begin());
        assertEquals(BackendState.PROBING, one.state());
        assertFalse(choose() == one);
        fail(one, 1);
        one.end(true);
        assertEquals(BackendState.EJECTED, one.state());
        passes(59);
        assertFalse(choose() == one);
        passes(1);
        assertSame(one, choose());
        assertTrue(one.begin());
        one.succeeded();
        one.end(true);
        assertEquals(BackendState.UP, one.state());
        fail(one, 4);
        assertEquals(BackendState.UP, one.state());
    }

    @ParameterizedTest
    @EnumSource(names = {"REFUSED", "TOO_MANY_WAITING", "WAITED_TOO_LONG", "UNSUPPORTED"})
    void leavesNoBackendAloneThatOnlyTakesNoRequestNow(Reason reason) {
        for (int i = 0; i < 10; i++) {
            one.failed(new ClientException(reason, Processed.NO, "not now", null));
        }
        assertEquals(BackendState.UP, one.state());
    }

    /** A request would otherwise wait twice for the same connections. */
    @ParameterizedTest
    @EnumSource(names = {"TOO_MANY_WAITING", "WAITED_TOO_LONG"})
    void asksNoBackendAgainWhoseConnectionsAreAllInUse(Reason reason) {
        assertTrue(RetryPolicy.isForOthersOnly(reason));
    }

    @Test
    void letsTheNextThroughIfTheFirstWasGivenUp() {
        fail(one, 5);
        passes(30);
        assertTrue(one.begin());
        assertFalse(one.begin());
        one.end(false);
        one.end(true);
        assertSame(one, choose());
    }

    /** A retry is not used as a probe, because its request has failed once already. */
    @Test
    void retriesWithABackendThatIsUp() {
        fail(one, 5);
        passes(30);
        for (int i = 0; i < 20; i++) {
            assertSame(three, choose(two));
        }
    }

    private void passes(int seconds) {
        now.addAndGet(Duration.ofSeconds(seconds).toNanos());
    }

    @Test
    void givesABackendThatComesBackItsShareByAndBy() {
        one.drain();
        assertEquals(100, one.share());
        one.resume();
        assertEquals(10, one.share());
        passes(5);
        assertEquals(50, one.share());
        passes(5);
        assertEquals(100, one.share());
        passes(Integer.MAX_VALUE);
        assertEquals(100, one.share());
        assertEquals(300, three.share());
    }

    @Test
    void givesEachItsShareWhereNoneIsBusy() {
        one.drain();
        one.resume();
        int[] shares = new int[3];
        for (int i = 0; i < 4100; i++) {
            Backend chosen = choose();
            shares[chosen == one ? 0 : chosen == two ? 1 : 2]++;
        }
        assertEquals(100, shares[0], 40);
        assertEquals(1000, shares[1], 120);
        assertEquals(3000, shares[2], 120);
    }

    @Test
    void givesADrainingBackendRequestsOfItsSessionsAlone() {
        two.drain();
        for (int i = 0; i < 20; i++) {
            assertFalse(choose() == two);
            assertSame(two, balancer.choose(request("/", "JSESSIONID=1.two"), Set.of()));
        }
        fail(one, 5);
        fail(three, 5);
        assertFalse(choose() == two);
        one.drain();
        three.drain();
        assertNull(choose());
        two.resume();
        assertSame(two, choose());
    }

    @Test
    void leavesABackendAloneWhoseChecksFail() {
        one.checked("status 503");
        one.checked("status 503");
        one.checked(null);
        one.checked("status 503");
        one.checked("status 503");
        assertEquals(BackendState.UP, one.state());
        one.checked("status 503");
        assertEquals(BackendState.DOWN, one.state());
        one.succeeded();
        assertFalse(choose() == one);
        one.checked(null);
        assertEquals(BackendState.DOWN, one.state());
        one.checked(null);
        assertEquals(BackendState.UP, one.state());
        assertEquals(10, one.share());
    }

    /** The proxy was started first: the session began while no backend was up, and the other one came up earlier. */
    @Test
    void keepsTheSessionsOfABackendThatAnswersAgainBeforeItsChecksSaySo() {
        for (int i = 0; i < 3; i++) {
            two.notReached("cannot connect");
        }
        assertEquals(BackendState.DOWN, two.state());
        assertFalse(sessionStays(), "not reached since");
        two.succeeded();
        assertTrue(sessionStays(), "has answered a request");
        assertFalse(draws(two), "only its sessions");
        two.notReached("cannot connect");
        assertFalse(sessionStays(), "gone again");
        two.checked(null);
        assertTrue(sessionStays(), "has answered a check");
        fail(two, 1);
        assertFalse(sessionStays(), "a request failed");
        two.succeeded();
        two.checked("status 503");
        two.succeeded();
        assertFalse(sessionStays(), "declines requests, and answers only those that it had");
    }

    private boolean sessionStays() {
        for (int i = 0; i < 20; i++) {
            if (!two.equals(balancer.choose(request("/", "JSESSIONID=1.two"), Set.of()))) {
                return false;
            }
        }
        return true;
    }

    @Test
    void beginsToDrainByItsAddress() {
        assertEquals(BackendState.DRAINING, backend("http://d:1?draining=true").state());
        assertEquals(BackendState.UP, backend("http://d:1?draining=false").state());
    }

    @Test
    void doesNotHoldItAgainstABackendThatItIsBusy() {
        for (int i = 0; i < 10; i++) {
            one.failed(new ClientException(Reason.TOO_MANY_WAITING, Processed.NO, "busy", null));
        }
        assertEquals(BackendState.UP, one.state());
    }

    @Test
    void usesAllWhereMoreThanHalfOfThemFail() {
        fail(one, 5);
        assertFalse(choose(three) == one);
        fail(two, 5);
        assertTrue(List.of(one, two).contains(choose(three)));
    }

    @Test
    void repeatsAShareOfTheRequestsOnly() {
        RetryBudget budget = new RetryBudget();
        for (int i = 0; i < 10; i++) {
            budget.begin();
        }
        for (int i = 0; i < 5; i++) {
            assertTrue(budget.take());
        }
        assertFalse(budget.take());
        budget.release();
        assertTrue(budget.take());
        for (int i = 0; i < 5; i++) {
            budget.end();
        }
        budget.release();
        assertFalse(budget.take());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ajp://a:8009",
                "h2c://a:80",
                "a:80",
                "http://",
                "http://a/path",
                "http://me@a",
                "http://a?weight=0",
                "http://a?weight=x",
                "http://a?route=",
                "http://a?other=1",
                "http://a?draining=maybe",
                "http://a b",
                "unix:relative"
            })
    void refusesWhatIsNoBackend(String uri) {
        assertThrows(IllegalArgumentException.class, () -> BackendAddress.parse(uri));
    }

    @ParameterizedTest
    @CsvSource({
        "http://a, a:80",
        "https://a, a:443",
        "http://[::1]:8080/, [::1]:8080",
        "unix:/run/x.sock, localhost",
        "HTTP://a:1?weight=2, a:1"
    })
    void readsABackend(String uri, String authority) {
        assertEquals(authority, BackendAddress.parse(uri).authority());
    }

    @ParameterizedTest
    @CsvSource({
        "/a/../b, true",
        "/a/.., true",
        "/./a, true",
        "/a/%2E%2e/b, true",
        "/a%2f..%2fb, true",
        "/a/..;x/b, true",
        "/a/...,false",
        "/.well-known/x, false",
        "/a..b/c.d, false",
        "/a, false"
    })
    void seesAWayUpInAnyDisguise(String path, boolean up) {
        assertEquals(up, RequestRewrite.hasDotSegments(path));
    }
}

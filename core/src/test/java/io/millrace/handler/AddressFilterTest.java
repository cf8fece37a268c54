package io.millrace.handler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.NonBlockingHandler;
import io.millrace.forwarded.RemoteIp;
import io.millrace.net.AddressSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** A filter of addresses (the client's is 192.0.2.7, ours 127.0.0.1:8080) … */
final class AddressFilterTest {

    private static final NonBlockingHandler SECRET = exchange -> Responses.text(exchange, 200, "secret");
    private static final HttpHandler BLOCKING = exchange -> Responses.text(exchange, 200, "secret");

    private static AddressFilter only(String pattern) {
        return AddressFilter.of(AddressRule.patterns(Pattern.compile(pattern), null));
    }

    @Test
    void letsInWhomItsRuleAllows() {
        assertEquals(
                "secret",
                Asked.get("/").of(only("192\\.0\\.2\\.7").wrap(SECRET)).body());
        MemoryStream denied = Asked.get("/").of(only("192\\.0\\.2\\.8").wrap(SECRET));
        assertEquals(403, denied.status());
        assertEquals(-1, denied.body().indexOf("secret"));
    }

    @Test
    void deniesWithoutAWorker() {
        AtomicInteger tasks = new AtomicInteger();
        HttpHandler guarded = only("10\\..*").withDenyStatus(404).wrap(BLOCKING);
        assertEquals(404, Asked.get("/").counting(tasks).of(guarded).status());
        assertEquals(0, tasks.get());
    }

    @Test
    void asksForNamesOnAWorkerOnly() {
        AtomicInteger tasks = new AtomicInteger();
        StringBuilder threads = new StringBuilder();
        AddressRule rule = client -> {
            threads.append(tasks.get());
            return true;
        };
        AddressFilter named = AddressFilter.of(rule).withNames(exchange -> true);
        assertEquals(200, Asked.get("/").counting(tasks).of(named.wrap(SECRET)).status());
        assertEquals("1", threads.toString());
    }

    @Test
    void comparesThePortOfTheConnector() {
        assertEquals(
                200,
                Asked.get("/")
                        .of(only("192\\.0\\.2\\.7;8080").withConnectorPort().wrap(SECRET))
                        .status());
        assertEquals(
                403,
                Asked.get("/")
                        .of(only("192\\.0\\.2\\.7;8443").withConnectorPort().wrap(SECRET))
                        .status());
    }

    @Test
    void judgesTheClientBehindAFrontEndUnlessItIsToldToTakeThePeer() {
        RemoteIp relay = RemoteIp.trusting(AddressSet.parse("192.0.2.7"));
        Asked asked = Asked.get("/").header("X-Forwarded-For", "2001:DB8::1");
        AddressFilter filter = only("2001:db8::1");
        assertEquals(200, asked.of(relay.wrap(filter.wrap(SECRET))).status());
        assertEquals(
                403, asked.of(relay.wrap(filter.withPeerAddress().wrap(SECRET))).status());
        assertEquals(403, asked.of(filter.wrap(relay.wrap(SECRET))).status());
        assertEquals(
                200,
                asked.of(relay.wrap(only("192\\.0\\.2\\.7").withPeerAddress().wrap(SECRET)))
                        .status());
    }

    @Test
    void refusesAStatusThatIsNone() {
        assertThrows(IllegalArgumentException.class, () -> only(".*").withDenyStatus(200));
    }
}

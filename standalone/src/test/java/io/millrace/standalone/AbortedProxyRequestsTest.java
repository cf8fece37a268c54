package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.proxy.BackendStatus;
import io.millrace.standalone.ProxiedPair.Call;
import io.millrace.testkit.Deadline;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.management.ObjectName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Requests that their clients give up, at each point: while they are sent, before the response, and within it. Afterwards the proxy has
 * nothing of them. {@code -Dmillrace.aborts=100000} for so many of each pair of protocols, by hand.
 */
@Timeout(3600)
final class AbortedProxyRequestsTest {

    private static final int ABORTS = Integer.getInteger("millrace.aborts", 300);

    /** Requests at a time. */
    private static final int TOGETHER = 10;

    /** More of a class than caches and idle connections account for, and fewer than one for each tenth request. */
    private static final int TOLERANCE = 50;

    /** A client whose connection each abort costs; and one whose requests share connections. */
    static List<Arguments> pairs() {
        List<Arguments> pairs = new ArrayList<>();
        for (String scheme : ProxiedPair.schemes()) {
            pairs.add(Arguments.of("http", scheme));
        }
        if (ProxiedPair.schemes().contains("h2c")) {
            pairs.add(Arguments.of("h2c", "h2c"));
        }
        return pairs;
    }

    @Test
    void leaveNothingInTheProxyIfThereAreAHundred() throws Exception {
        leaveNothing("http", "http", 100);
    }

    @ParameterizedTest
    @MethodSource("pairs")
    @Tag("soak")
    void leaveNothingInTheProxy(String client, String server) throws Exception {
        leaveNothing(client, server, ABORTS);
    }

    private static void leaveNothing(String client, String server, int aborts) throws Exception {
        ProxiedPair pair = new ProxiedPair(client, server);
        try {
            leavesNothing(pair, aborts);
        } finally {
            pair.close();
        }
    }

    private static void leavesNothing(ProxiedPair pair, int aborts) throws Exception {
        abort(pair, 100); // what there is once: classes, caches, connections
        settle(pair);
        Map<String, Long> before = objects();
        abort(pair, aborts);
        settle(pair);
        Map<String, Long> after = objects();
        List<String> more = new ArrayList<>();
        after.forEach((name, count) -> {
            if (count > before.getOrDefault(name, 0L) + TOLERANCE) {
                more.add(name + ": " + before.getOrDefault(name, 0L) + ", then " + count);
            }
        });
        assertEquals(List.of(), more);
    }

    private static void abort(ProxiedPair pair, int count) throws Exception {
        byte[] body = new byte[100_000];
        for (int i = 0; i < count; i += TOGETHER) {
            List<Call> calls = new ArrayList<>();
            for (int k = 0; k < TOGETHER; k++) {
                calls.add(pair.ask(
                        switch (k % 5) {
                            case 0 -> new Call("GET", "/hello", new byte[0], true);
                            case 1 -> new Call("POST", "/echo", body, true);
                            case 2 -> new Call("POST", "/length", body, false);
                            case 3 -> new Call("GET", "/stream?500000", new byte[0], true).withoutReading();
                            default -> new Call("GET", "/fixed?500000", new byte[0], true).withoutReading();
                        }));
            }
            for (int k = 0; k < TOGETHER; k++) {
                Call call = calls.get(k);
                // a server may end a connection on which too many streams are reset, as ours do
                boolean answered = k % 5 > 2;
                Deadline.await(
                        "the request to be under way",
                        () -> !call.isComplete() || (answered ? call.status() > 0 : call.isStarted()));
                call.abort();
            }
        }
    }

    /** Until nothing is under way. */
    private static void settle(ProxiedPair pair) throws Exception {
        Deadline.await("all requests to be over", () -> {
            BackendStatus status = pair.application().status().get(0);
            return status.running() == 0 && status.waiting() == 0;
        });
        Deadline.await(
                "a request to be answered",
                () -> pair.application().status().get(0).running() == 0 && isAnswering(pair));
        Deadline.await("all buffers to be back", () -> pair.harness().buffers().outstanding() == 0);
        assertTrue(pair.application().status().get(0).connections() <= 20);
    }

    private static boolean isAnswering(ProxiedPair pair) {
        try {
            Call call = pair.ask("GET", "/hello").await();
            return call.isComplete() && call.text().equals("hello null");
        } catch (Exception late) {
            throw new AssertionError(late);
        }
    }

    /** Our objects that are reachable, by class; without a cache of field values, which is bounded. */
    private static Map<String, Long> objects() throws Exception {
        String histogram = (String) ManagementFactory.getPlatformMBeanServer()
                .invoke(
                        new ObjectName("com.sun.management:type=DiagnosticCommand"),
                        "gcClassHistogram",
                        new Object[] {new String[0]},
                        new String[] {String[].class.getName()});
        Map<String, Long> counts = new TreeMap<>();
        histogram.lines().map(line -> line.strip().split("\\s+", -1)).forEach(words -> {
            if (words.length >= 4 && words[3].startsWith("io.millrace.") && !words[3].contains("RecentTexts")) {
                counts.put(words[3], Long.parseLong(words[1]));
            }
        });
        return counts;
    }
}

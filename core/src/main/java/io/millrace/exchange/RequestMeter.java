package io.millrace.exchange;

import io.millrace.http.HttpVersion;
import io.millrace.http.RequestHead;
import io.millrace.io.ConnectionInfo;
import io.millrace.jfr.Recorder;
import io.millrace.metrics.DurationCounts;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Counts the requests of a connector, and knows those in progress. Requests that a protocol refuses before they become exchanges are
 * counted by their status only. Thread-safe.
 *
 * <p>A request costs two short critical sections of a stripe, which is chosen at random, so that threads rarely meet there, also where
 * all requests of a connection arrive on one thread and end on others; and one reading of the clock at its end.
 */
public final class RequestMeter {

    /** The classes of status codes that are counted apart, as labels of metrics. */
    public static final List<String> CLASSES = List.of("1xx", "2xx", "3xx", "4xx", "5xx", "499");

    /** Set on a request that is recorded. */
    public static final AttributeKey<Recorder.RequestSpan> RECORDED =
            AttributeKey.of("recorded", Recorder.RequestSpan.class);

    private static final int STRIPES = 16;
    private static final int VERSIONS = HttpVersion.values().length;
    private static final int CODES = 6;

    /** Of 499 in {@link #CLASSES}. */
    private static final int LEFT = 5;

    /** What is counted beside {@link Totals}. */
    public enum Figure {
        /** The requests in progress. */
        ACTIVE,
        /** The connections, or streams, that were switched to another protocol, such as WebSocket. */
        TUNNELS,
        /** The requests that have ended because their clients left before the end of the response. */
        ABORTED
    }

    /**
     * What has been counted since the connector was opened, or since {@link #reset}.
     *
     * @param requests that have ended
     * @param errors those of them with a status from 400
     * @param bytesReceived bytes of request bodies that were read, without transfer coding
     * @param bytesSent bytes of response bodies, before transfer coding
     * @param nanos the sum of their durations in nanoseconds, each from the arrival of its head to the end of its response
     * @param longestNanos the longest duration
     */
    public record Totals(
            long requests, long errors, long bytesReceived, long bytesSent, long nanos, long longestNanos) {

        private static final Totals NONE = new Totals(0, 0, 0, 0, 0, 0);

        private Totals minus(Totals before) {
            return new Totals(
                    requests - before.requests,
                    errors - before.errors,
                    bytesReceived - before.bytesReceived,
                    bytesSent - before.bytesSent,
                    nanos - before.nanos,
                    longestNanos);
        }

        private Totals plus(Totals other) {
            return new Totals(
                    requests + other.requests,
                    errors + other.errors,
                    bytesReceived + other.bytesReceived,
                    bytesSent + other.bytesSent,
                    nanos + other.nanos,
                    Math.max(longestNanos, other.longestNanos));
        }
    }

    /**
     * A request in progress.
     *
     * @param connection the connection of the client, as it was presented to handlers
     * @param nanos how long ago it arrived, in nanoseconds
     * @param thread the thread that runs its handler; null if none does, as while it is asynchronous
     * @param isTunnel whether the connection was switched to another protocol, such as WebSocket
     */
    public record Active(
            RequestHead request,
            ConnectionInfo connection,
            long nanos,
            @Nullable Thread thread,
            boolean isTunnel) {}

    /** A request in progress, as an element of a stripe's list. */
    abstract static class Entry {

        // guarded by the stripe
        private @Nullable Entry previous;
        private @Nullable Entry following;

        /** Whether it is the connection after it was switched to another protocol, and not a request. */
        abstract boolean isTunnel();

        /** For operators, on any thread, so that it may be out of date. */
        abstract Active describe(long now);
    }

    /** Some of the requests in progress, in a linked list, and what was counted of those that have ended. */
    static final class Stripe {

        private @Nullable Entry first;
        private long active;
        private long tunnels;
        private final long[] ended = new long[VERSIONS * CODES];
        private final DurationCounts durations = new DurationCounts();
        private long aborted;
        private long errors;
        private long bytesReceived;
        private long bytesSent;
        private long longestNanos;

        private synchronized void add(Entry entry) {
            Entry head = first;
            entry.following = head;
            if (head != null) {
                head.previous = entry;
            }
            first = entry;
            if (entry.isTunnel()) {
                tunnels++;
            } else {
                active++;
            }
        }

        /**
         * Removes a request that has ended. A tunnel is not counted: the request that opened it was.
         *
         * @param isAborted whether its client left before the end of the response
         */
        synchronized void remove(
                Entry entry,
                HttpVersion version,
                int status,
                boolean isAborted,
                long received,
                long sent,
                long lasted) {
            Entry before = entry.previous;
            Entry after = entry.following;
            if (before == null) {
                first = after;
            } else {
                before.following = after;
            }
            if (after != null) {
                after.previous = before;
            }
            entry.previous = null;
            entry.following = null;
            if (entry.isTunnel()) {
                tunnels--;
            } else {
                active--;
                ended[place(version, code(status))]++;
                aborted += isAborted ? 1 : 0;
                errors += status >= 400 ? 1 : 0;
                bytesReceived += received;
                bytesSent += sent;
                durations.add(lasted);
                longestNanos = Math.max(longestNanos, lasted);
            }
        }

        /** Counts a request that was refused before it became an exchange. */
        private synchronized void refuse(HttpVersion version, int status) {
            ended[place(version, code(status))]++;
        }

        private synchronized Totals totals() {
            return new Totals(durations.count(), errors, bytesReceived, bytesSent, durations.nanos(), longestNanos);
        }

        private synchronized void forgetLongest() {
            longestNanos = 0;
        }

        private synchronized void addTo(DurationCounts sum) {
            sum.add(durations);
        }

        private synchronized long get(Figure figure) {
            return switch (figure) {
                case ACTIVE -> active;
                case TUNNELS -> tunnels;
                case ABORTED -> aborted;
            };
        }

        private synchronized long ended(HttpVersion version, int code) {
            return ended[place(version, code)];
        }

        private synchronized void addTo(List<Entry> entries) {
            for (Entry each = first; each != null; each = each.following) {
                entries.add(each);
            }
        }
    }

    private final Stripe[] stripes = new Stripe[STRIPES];
    private final InlineRuns inline = new InlineRuns();
    private volatile Totals before = Totals.NONE;
    private volatile String name = "";

    /** A meter that has counted nothing. */
    public RequestMeter() {
        for (int i = 0; i < STRIPES; i++) {
            stripes[i] = new Stripe();
        }
    }

    /** Sets the name of the connector, for recordings. */
    public void named(String connector) {
        name = connector;
    }

    String name() {
        return name;
    }

    /** Those that run on the threads that have read them. */
    public InlineRuns inline() {
        return inline;
    }

    /** Adds a request that begins; returns where it is removed at its end. */
    Stripe begin(Entry entry) {
        Stripe stripe = stripes[ThreadLocalRandom.current().nextInt(STRIPES)];
        stripe.add(entry);
        return stripe;
    }

    /** What has been counted since {@link #reset}. */
    public Totals totals() {
        Totals since = before; // read first, as a reset may come between
        return all().minus(since);
    }

    private Totals all() {
        Totals sum = Totals.NONE;
        for (Stripe stripe : stripes) {
            sum = sum.plus(stripe.totals());
        }
        return sum;
    }

    /** Begins to count {@link #totals} from zero, as an operator asks for. All else goes on: metrics only grow. */
    public void reset() {
        for (Stripe stripe : stripes) {
            stripe.forgetLongest();
        }
        before = all();
    }

    /** Counts a request that its protocol refused and answered, before it became an exchange. It is in {@link #ended} only. */
    void refuse(HttpVersion version, int status) {
        stripes[ThreadLocalRandom.current().nextInt(STRIPES)].refuse(version, status);
    }

    @SuppressWarnings("EnumOrdinal") // a place in an array, which costs less than a map
    private static int place(HttpVersion version, int code) {
        return version.ordinal() * CODES + code;
    }

    /** The place of a status in {@link #CLASSES}. */
    public static int code(int status) {
        return status == 499 ? LEFT : Math.max(0, Math.min(4, status / 100 - 1));
    }

    /** The requests that a thread runs now; the others wait for one, or are asynchronous. */
    public int running() {
        return (int) active().stream().filter(each -> each.thread() != null).count();
    }

    /** Whether requests of most servers end with a status of this class, an index of {@link #CLASSES}. */
    public static boolean isOrdinary(int code) {
        return code != 0 && code != LEFT;
    }

    /** The requests of this version that have ended with a status of this class, an index of {@link #CLASSES}; with refused ones. */
    public long ended(HttpVersion version, int code) {
        long sum = 0;
        for (Stripe stripe : stripes) {
            sum += stripe.ended(version, code);
        }
        return sum;
    }

    /** How many there are, or were. */
    public long get(Figure figure) {
        long sum = 0;
        for (Stripe stripe : stripes) {
            sum += stripe.get(figure);
        }
        return sum;
    }

    /** How long the requests took that have ended. */
    public DurationCounts durations() {
        DurationCounts sum = new DurationCounts();
        for (Stripe stripe : stripes) {
            stripe.addTo(sum);
        }
        return sum;
    }

    /** The requests in progress, the oldest first. What is reported of each may be out of date at once. */
    public List<Active> active() {
        List<Entry> entries = new ArrayList<>();
        for (Stripe stripe : stripes) {
            stripe.addTo(entries);
        }
        long now = System.nanoTime();
        return entries.stream()
                .map(entry -> entry.describe(now))
                .sorted((one, other) -> Long.compare(other.nanos(), one.nanos()))
                .toList();
    }
}

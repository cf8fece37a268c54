package io.millrace.exchange;

import io.millrace.http.RequestHead;
import io.millrace.io.ConnectionInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Counts the requests of a connector, and knows those in progress. Requests that a protocol refuses before they become exchanges are
 * not counted. Thread-safe.
 *
 * <p>A request costs two short critical sections of a stripe, which is chosen at random, so that threads rarely meet there, also where
 * all requests of a connection arrive on one thread and end on others; and one reading of the clock at its end.
 */
public final class RequestMeter {

    private static final int STRIPES = 16;

    /**
     * What has been counted since the connector was opened or the meter was reset.
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

        /** For operators, on any thread, so that it may be out of date. */
        abstract Active describe(long now);
    }

    /** Some of the requests in progress, in a linked list, and what was counted of those that have ended. */
    static final class Stripe {

        private @Nullable Entry first;
        private long requests;
        private long errors;
        private long bytesReceived;
        private long bytesSent;
        private long nanos;
        private long longestNanos;

        private synchronized void add(Entry entry) {
            Entry head = first;
            entry.following = head;
            if (head != null) {
                head.previous = entry;
            }
            first = entry;
        }

        /** @param status 0 for a tunnel, which is not counted: the request that opened it was */
        synchronized void remove(Entry entry, int status, long received, long sent, long lasted) {
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
            if (status > 0) {
                requests++;
                errors += status >= 400 ? 1 : 0;
                bytesReceived += received;
                bytesSent += sent;
                nanos += lasted;
                longestNanos = Math.max(longestNanos, lasted);
            }
        }

        private synchronized void reset() {
            requests = 0;
            errors = 0;
            bytesReceived = 0;
            bytesSent = 0;
            nanos = 0;
            longestNanos = 0;
        }

        private synchronized Totals totals() {
            return new Totals(requests, errors, bytesReceived, bytesSent, nanos, longestNanos);
        }

        private synchronized void addTo(List<Entry> entries) {
            for (Entry each = first; each != null; each = each.following) {
                entries.add(each);
            }
        }
    }

    private final Stripe[] stripes = new Stripe[STRIPES];

    /** A meter that has counted nothing. */
    public RequestMeter() {
        for (int i = 0; i < STRIPES; i++) {
            stripes[i] = new Stripe();
        }
    }

    /** Adds a request that begins; returns where it is removed at its end. */
    Stripe begin(Entry entry) {
        Stripe stripe = stripes[ThreadLocalRandom.current().nextInt(STRIPES)];
        stripe.add(entry);
        return stripe;
    }

    /** What has been counted. */
    public Totals totals() {
        Totals sum = new Totals(0, 0, 0, 0, 0, 0);
        for (Stripe stripe : stripes) {
            sum = sum.plus(stripe.totals());
        }
        return sum;
    }

    /** Begins to count from zero, as an operator asks for. */
    public void reset() {
        for (Stripe stripe : stripes) {
            stripe.reset();
        }
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

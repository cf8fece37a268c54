package io.millrace.handler;

import io.millrace.exchange.AttributeKey;
import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.NonBlockingHandler;
import io.millrace.http.RequestedHost;
import io.millrace.io.LogThrottle;
import io.millrace.log.CoreLog;
import io.millrace.net.ClientNetwork;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Limits the rate of requests of each client by a token bucket; a request beyond it gets a 429 response with {@code Retry-After}
 * (RFC 6585, 4) on the thread that read its head. A client is an IPv4 address, or an IPv6 network of 64 bits ({@link
 * ClientNetwork}); behind a front end, put a {@link io.millrace.forwarded.Relay} before it, or all clients are one. Its table of
 * clients never grows: when more are active than it has places, some share a bucket, so that nobody escapes a limit by crowding
 * the table. The handlers that one limit {@linkplain #wrap wraps} share it. Thread-safe.
 */
public final class RateLimit {

    /** The number of clients that are told apart, unless another one is given: with 16 bytes each, 1 MiB. */
    public static final int CLIENTS = 1 << 16;

    private static final int TOO_MANY = 429;
    private static final int MAX_CLIENTS = 1 << 24;
    private static final Duration MAX_PERIOD = Duration.ofDays(1);

    private enum Logged {
        LIMITED
    }

    /** Specific to this limit: a request that passes two of its handlers is counted once. */
    private final AttributeKey<Boolean> counted = AttributeKey.of("counted by a rate limit", Boolean.class);

    private final LogThrottle<Logged> throttle = new LogThrottle<>(Logged.class);
    private final String text;
    private final Buckets buckets;

    private RateLimit(int requests, Duration per, int burst, int clients, LongSupplier clock) {
        if (requests < 1) {
            throw new IllegalArgumentException("the limit is " + requests + " requests; expected at least 1");
        }
        if (per.isNegative() || per.isZero() || per.compareTo(MAX_PERIOD) > 0) {
            throw new IllegalArgumentException(
                    "the period of the limit is " + per + "; expected more than nothing, and at most a day");
        }
        if (burst < 1) {
            throw new IllegalArgumentException("the burst is " + burst + " requests; expected at least 1");
        }
        if (clients < 1 || clients > MAX_CLIENTS) {
            throw new IllegalArgumentException(
                    "the table has " + clients + " clients; expected a number from 1 to " + MAX_CLIENTS);
        }
        text = requests + " in " + per.toString().substring(2).toLowerCase(Locale.ROOT);
        buckets = new Buckets(Math.max(1, per.toNanos() / requests), burst, clients, clock);
    }

    /** A limit of so many requests in a period, all of which may arrive at once. */
    public static RateLimit of(int requests, Duration per) {
        return of(requests, per, requests);
    }

    /**
     * A limit of so many requests in a period.
     *
     * @param per at most a day
     * @param burst how many requests a client that was idle may send at once
     */
    public static RateLimit of(int requests, Duration per, int burst) {
        return of(requests, per, burst, CLIENTS);
    }

    /** The same with another number of clients that are told apart; it is rounded up to a power of two. */
    public static RateLimit of(int requests, Duration per, int burst, int clients) {
        return new RateLimit(requests, per, burst, clients, System::nanoTime);
    }

    static RateLimit of(int requests, Duration per, int burst, int clients, LongSupplier clock) {
        return new RateLimit(requests, per, burst, clients, clock);
    }

    /** A handler that passes the requests within the limit to another one. */
    public HttpHandler wrap(HttpHandler next) {
        return (NonBlockingHandler) exchange -> {
            long wait = exchange.attribute(counted) == null ? take(exchange) : 0;
            if (wait == 0) {
                Route.follow(exchange, next);
            } else {
                refuse(exchange, wait);
            }
        };
    }

    private long take(HttpExchange exchange) {
        exchange.attributes().put(counted, true);
        SocketAddress client = exchange.channel().info().remote();
        return buckets.take(ClientNetwork.of(client instanceof InetSocketAddress inet ? inet.getAddress() : null));
    }

    private void refuse(HttpExchange exchange, long wait) {
        if (throttle.isDue(Logged.LIMITED)) {
            CoreLog.HANDLER.rateLimited(
                    text, RequestedHost.host(exchange.channel().info().remote()));
        }
        long seconds = (wait + TimeUnit.SECONDS.toNanos(1) - 1) / TimeUnit.SECONDS.toNanos(1);
        exchange.response().headers().set("Retry-After", Long.toString(seconds));
        Responses.error(exchange, TOO_MANY);
    }

    /**
     * The buckets of all clients. A bucket is one number, the time at which it will be full again (the "virtual scheduling" of
     * the generic cell rate algorithm, ITU-T I.371); one that is full is as good as none. A client has its place among the eight
     * of a set, which a keyed hash chooses, so that clients cannot choose whose place they take. If all eight are taken by
     * clients whose buckets are not full, a further client takes over the place and the bucket of the one whose bucket is the
     * fullest.
     */
    static final class Buckets {

        private static final int WAYS = 8;
        private static final int LOCKS = 64;

        private final long nanosPerRequest;
        private final long tolerance;
        private final LongSupplier clock;
        private final long start;
        private final long seed = ThreadLocalRandom.current().nextLong();
        private final long[] networks;
        private final long[] fullAt;
        private final int sets;
        private final Object[] locks = new Object[LOCKS];

        Buckets(long nanosPerRequest, int burst, int clients, LongSupplier clock) {
            this.nanosPerRequest = nanosPerRequest;
            tolerance = saturated(nanosPerRequest, burst - 1);
            this.clock = clock;
            start = clock.getAsLong();
            int places = Math.max(WAYS, Integer.highestOneBit(2 * clients - 1));
            sets = places / WAYS;
            networks = new long[places];
            fullAt = new long[places];
            for (int i = 0; i < LOCKS; i++) {
                locks[i] = new Object();
            }
        }

        /** At most some years: it is added to a time. */
        private static long saturated(long nanos, int times) {
            long most = Long.MAX_VALUE / 4;
            return times > 0 && nanos > most / times ? most : nanos * times;
        }

        /** The number of places, which is fixed. */
        int places() {
            return networks.length;
        }

        /** Takes a token of a client's bucket. Returns 0, or for how many nanoseconds there will be none. */
        long take(long network) {
            long now = clock.getAsLong() - start;
            int set = (int) mixed(network ^ seed) & sets - 1;
            synchronized (locks[set & LOCKS - 1]) {
                int place = place(set * WAYS, network, now);
                networks[place] = network;
                long full = Math.max(fullAt[place], now);
                long wait = full - now - tolerance;
                if (wait > 0) {
                    return wait;
                }
                fullAt[place] = full + nanosPerRequest;
                return 0;
            }
        }

        private int place(int first, long network, long now) {
            int fullest = first;
            for (int i = first; i < first + WAYS; i++) {
                if (networks[i] == network && fullAt[i] > now) {
                    return i;
                }
                fullest = fullAt[i] < fullAt[fullest] ? i : fullest;
            }
            return fullest;
        }

        /** The finalizer of MurmurHash3: each bit of the input changes half of the output. */
        private static long mixed(long bits) {
            long mixed = (bits ^ bits >>> 33) * 0xff51afd7ed558ccdL;
            mixed = (mixed ^ mixed >>> 33) * 0xc4ceb9fe1a85ec53L;
            return mixed ^ mixed >>> 33;
        }
    }
}

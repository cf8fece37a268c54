package io.millrace.io;

import io.millrace.net.ClientNetwork;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The addresses whose requests are aborted more often than answered, so that a connector can let those on their new connections wait:
 * each aborted request costs a connection, what was produced for it, and behind a proxy a connection to a backend, and over HTTP/1.1
 * nothing else limits how often that happens. Of IPv6 the first 64 bits are an address.
 *
 * <p>Counted are requests whose client leaves soon: somebody who closes an event stream, or a download, after a while has cost little
 * in that time. {@link #ANSWERS} answered requests pay for an aborted one, and so does time, so that users who leave pages early, and
 * front ends that pass that on, are not meant; nor is a client that ends with all of its connections ({@link #AT_ONCE}).
 *
 * <p><b>Threads.</b> Thread-safe. An answered request costs one comparison while no address has aborted any.
 */
public final class AbortedRequests {

    /** How many requests more may be aborted than are answered, each second. */
    public static final int FORGIVEN_PER_SECOND = 33;

    /** How many answered requests pay for one that was aborted. */
    public static final int ANSWERS = 4;

    /** How many count within a second: those of a client with many connections that ends, or is restarted, are no attack. */
    public static final int AT_ONCE = 100;

    /** How soon, in nanoseconds after its head has come, a request is aborted if it is to count. */
    public static final long SOON = TimeUnit.SECONDS.toNanos(2);

    /** How many addresses are remembered; those of further ones are not counted. */
    static final int MAX_ADDRESSES = 4096;

    private static final long COST = TimeUnit.SECONDS.toNanos(1) / FORGIVEN_PER_SECOND;

    private final Map<Long, Debt> debts = new ConcurrentHashMap<>();
    private volatile int most = Integer.MAX_VALUE;

    /** Nothing was aborted, and nothing is too much. */
    AbortedRequests() {}

    /** Sets by how many the aborted requests of an address may exceed those that were answered; the maximum integer: without a limit. */
    public void limit(int newMost) {
        most = newMost;
    }

    /**
     * A client has left before its request was answered.
     *
     * @param age how long before the head had come, in nanoseconds
     */
    public void aborted(ConnectionInfo client, long age, long now) {
        Long address = age > SOON ? null : address(client);
        if (address != null && (hasRoom(now) || debts.containsKey(address))) {
            debts.computeIfAbsent(address, unknown -> new Debt(now)).grow(now);
        }
    }

    /** A request was answered. */
    public void answered(ConnectionInfo client) {
        if (!debts.isEmpty()) {
            Long address = address(client);
            Debt debt = address == null ? null : debts.get(address);
            if (debt != null) {
                debt.shrink();
            }
        }
    }

    /** Whether this client's address is above the limit. */
    public boolean isAbove(ConnectionInfo client, long now) {
        if (debts.isEmpty()) {
            return false;
        }
        Long address = address(client);
        Debt debt = address == null ? null : debts.get(address);
        if (debt == null) {
            return false;
        }
        if (debt.isPaid(now)) {
            debts.remove(address, debt);
        }
        return debt.isAbove(most, now);
    }

    private boolean hasRoom(long now) {
        if (debts.size() >= MAX_ADDRESSES) {
            debts.values().removeIf(debt -> debt.isPaid(now));
        }
        return debts.size() < MAX_ADDRESSES;
    }

    /** Null for a client without an address, behind a Unix domain socket. */
    private static @Nullable Long address(ConnectionInfo client) {
        return client.remote() instanceof InetSocketAddress known && known.getAddress() != null
                ? (Long) ClientNetwork.of(known.getAddress())
                : null;
    }

    /** A bucket, as the time at which it will be empty. What is remembered is over after a minute. */
    private static final class Debt {

        private static final long MOST = TimeUnit.MINUTES.toNanos(1);
        private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

        private long until;
        private long since;
        private int counted;

        Debt(long now) {
            until = now;
            since = now;
        }

        synchronized void grow(long now) {
            if (now - since >= SECOND) {
                since = now;
                counted = 0;
            }
            if (counted == AT_ONCE) {
                return;
            }
            counted++;
            until = Math.min(Math.max(until - now, 0) + COST, MOST) + now;
        }

        synchronized void shrink() {
            until -= COST / ANSWERS;
        }

        synchronized boolean isAbove(int most, long now) {
            return until - now > most * COST;
        }

        synchronized boolean isPaid(long now) {
            return until - now <= 0;
        }
    }
}

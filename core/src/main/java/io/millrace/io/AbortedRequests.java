package io.millrace.io;

import io.millrace.net.ClientNetwork;
import java.net.InetAddress;
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

    /** How often forgiven addresses are searched for, in nanoseconds, while there are too many others. */
    private static final long SEARCH_INTERVAL = TimeUnit.MILLISECONDS.toNanos(100);

    /** How long an aborted request counts, in nanoseconds. */
    private static final long COST = TimeUnit.SECONDS.toNanos(1) / FORGIVEN_PER_SECOND;

    private final Map<Long, Debt> debts = new ConcurrentHashMap<>();
    /** By how many requests an address may have aborted more than it has paid for. */
    private volatile int maxExcess = Integer.MAX_VALUE;

    private volatile boolean sparesPrivate;
    private volatile boolean hasSearched;
    private volatile long searched;

    /** Nothing was aborted, and nothing is too much. */
    AbortedRequests() {}

    /**
     * Sets by how many the aborted requests of an address may exceed those that were answered; the maximum integer: without a limit.
     *
     * @param newMaxExcess in requests
     * @param newSparesPrivate whether loopback, link-local and private addresses are not counted: they are mostly front ends, which pass
     *     on what their clients abort
     */
    public void limit(int newMaxExcess, boolean newSparesPrivate) {
        maxExcess = newMaxExcess;
        sparesPrivate = newSparesPrivate;
    }

    /**
     * A client has left before its request was answered.
     *
     * @param age how long before the head had come, in nanoseconds
     * @param now in nanoseconds, of the clock of {@link System#nanoTime}
     */
    public void aborted(ConnectionInfo client, long age, long now) {
        Long address = maxExcess == Integer.MAX_VALUE || age > SOON ? null : address(client);
        if (address != null && (hasRoom(now) || debts.containsKey(address))) {
            debts.computeIfAbsent(address, unknown -> new Debt(now)).grow(maxExcess, now);
        }
    }

    /** A request was answered. */
    public void answered(ConnectionInfo client, long now) {
        Long address = debts.isEmpty() ? null : address(client);
        if (address != null) {
            Debt debt = debts.get(address);
            if (debt != null) {
                debt.shrink();
                forgetPaid(address, debt, now);
            }
        }
    }

    private void forgetPaid(Long address, Debt debt, long now) {
        if (debt.isPaid(now)) {
            debts.remove(address, debt);
        }
    }

    /** Whether this client's address is above the limit. */
    public boolean isAbove(ConnectionInfo client, long now) {
        Long address = debts.isEmpty() ? null : address(client);
        Debt debt = address == null ? null : debts.get(address);
        if (address == null || debt == null) {
            return false;
        }
        forgetPaid(address, debt, now);
        return debt.isAbove(maxExcess, now);
    }

    private boolean hasRoom(long now) {
        if (debts.size() >= MAX_ADDRESSES && (!hasSearched || now - searched >= SEARCH_INTERVAL)) {
            searched = now;
            hasSearched = true;
            debts.values().removeIf(debt -> debt.isPaid(now));
        }
        return debts.size() < MAX_ADDRESSES;
    }

    /** Null for a client without an address, behind a Unix domain socket, and for those that are spared. */
    private @Nullable Long address(ConnectionInfo client) {
        return client.remote() instanceof InetSocketAddress known
                        && known.getAddress() != null
                        && !(sparesPrivate && isPrivate(known.getAddress()))
                ? (Long) ClientNetwork.of(known.getAddress())
                : null;
    }

    /** RFC 1918, RFC 6598 (shared address space), RFC 4193 (unique local), loopback and link-local. */
    private static boolean isPrivate(InetAddress address) {
        byte[] bytes = address.getAddress();
        boolean shared = bytes.length == 4 && bytes[0] == 100 && (bytes[1] & 0xc0) == 64;
        boolean uniqueLocal = bytes.length == 16 && (bytes[0] & 0xfe) == 0xfc;
        return address.isLoopbackAddress()
                || address.isSiteLocalAddress()
                || address.isLinkLocalAddress()
                || shared
                || uniqueLocal;
    }

    /** A bucket, as the time at which it will be empty. What is remembered is over after a minute. */
    private static final class Debt {

        private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);
        private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

        private long until;
        private long since;
        private int counted;

        Debt(long now) {
            until = now;
            since = now;
        }

        synchronized void grow(int maxExcess, long now) {
            if (now - since >= SECOND) {
                since = now;
                counted = 0;
            }
            if (counted == AT_ONCE) {
                return;
            }
            counted++;
            long longest = Math.max(MINUTE, (maxExcess + (long) AT_ONCE) * COST);
            until = Math.min(Math.max(until - now, 0) + COST, longest) + now;
        }

        synchronized void shrink() {
            until -= COST / ANSWERS;
        }

        synchronized boolean isAbove(int maxExcess, long now) {
            return until - now > maxExcess * COST;
        }

        synchronized boolean isPaid(long now) {
            return until - now <= 0;
        }
    }
}

package io.millrace.client;

import io.millrace.io.ConnectionInfo;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How much of a pool each client holds, and how much it may hold: a percentage of what the others leave, so that a few clients which
 * keep their connections for long never have all of them.
 *
 * <pre>
 * an address may hold     percent × (the pool's capacity − what other addresses hold)
 * a connection may hold   percent × (what its address may hold − what other connections of that address hold)
 * </pre>
 *
 * rounded up. Of connections with streams an address may hold as many requests as it might hold connections, or 100 if that is more: how
 * many threads a server has for one client does not depend on the protocol in which it is asked. Such a dynamic threshold needs no knowledge of how many clients there are, and always leaves something for the next
 * one. The first level bounds a client with many connections, the second one a connection with many requests, where many clients have
 * the same address. Addresses of IPv6 are taken by their /64, which is one site.
 *
 * <p>The queue has no shares, but turns: if it is full, the client with most waiting requests loses its last one to another client.
 *
 * <p>A client is the one that a trusted front end reports, so that a front end's connection is not taken for one client; if its port
 * is unknown, there is only the first level. Processes of this machine (Unix domain sockets) and the server's own requests have no
 * limit.
 *
 * <p>Called with the pool's lock held.
 */
final class ClientShares {

    private static final int WHOLE = 100;

    /** What an address may hold in any case of what connections with streams leave for it: half of the usual number of connections. */
    private static final int STREAMS = 100;

    private final int percent;

    /** How many requests a connection carries. */
    private int streams = 1;

    private final Share all = new Share(null, null);
    private final Share own = new Share(null, new Share(null, all));
    private final Map<Object, Share> shares = new HashMap<>();

    /** What a client holds, or all clients of an address, or all. */
    static final class Share {

        /** In the table; null for those that are not in it, which have no limit. */
        private final @Nullable Object key;

        private final @Nullable Share parent;
        private int held;
        private int waiting;

        /** {@link #turns}; null as long as there was none. */
        private @Nullable Deque<Share> belowIt;

        /** {@link #line}; null as long as there was none: most requests, each of which may have a share made, do not wait. */
        private @Nullable Deque<Place> places;

        private Share(@Nullable Object key, @Nullable Share parent) {
            this.key = key;
            this.parent = parent;
        }

        /** Those below it with waiting requests, in turn. */
        private Deque<Share> turns() {
            Deque<Share> made = belowIt;
            if (made == null) {
                made = new ArrayDeque<>(2);
                belowIt = made;
            }
            return made;
        }

        /** The waiting requests of a share without any below it. */
        private Deque<Place> line() {
            Deque<Place> made = places;
            if (made == null) {
                made = new ArrayDeque<>(2);
                places = made;
            }
            return made;
        }
    }

    /** A place in the queue. */
    abstract static class Place {
        private final Share share;

        /** Of this client. */
        Place(Share share) {
            this.share = share;
        }

        final Share share() {
            return share;
        }
    }

    /** @param percent 1 to 100; 100 for no limit */
    ClientShares(int percent) {
        this.percent = percent;
    }

    /**
     * The share of a client, which remains the same as long as the client holds something or waits.
     *
     * @param client null for the server's own requests
     */
    Share of(@Nullable ConnectionInfo client) {
        if (client == null || !(client.remote() instanceof InetSocketAddress remote) || remote.getAddress() == null) {
            return own;
        }
        Share address = shares.computeIfAbsent(site(remote.getAddress()), key -> new Share(key, all));
        return shares.computeIfAbsent(remote, key -> new Share(key, address));
    }

    private static Object site(InetAddress address) {
        return address instanceof Inet6Address && !address.isLinkLocalAddress()
                ? (Object) ByteBuffer.wrap(address.getAddress()).getLong()
                : address;
    }

    /** Sets how many requests a connection of the pool is expected to carry. */
    void streams(int expected) {
        streams = expected;
    }

    // ---- what is held

    /** @param capacity how many requests the pool's connections can carry */
    boolean mayHold(Share share, long capacity) {
        return share.held < allowance(share, capacity);
    }

    void hold(Share share) {
        for (Share each = share; each != null; each = each.parent) {
            each.held++;
        }
    }

    void giveBack(Share share) {
        for (Share each = share; each != null; each = each.parent) {
            each.held--;
            forget(each);
        }
    }

    // ---- what waits

    void enqueue(Place place) {
        Share share = place.share();
        share.line().addLast(place);
        for (Share each = share; each != null; each = each.parent) {
            if (each.waiting == 0 && each.parent != null) {
                each.parent.turns().addLast(each); // first, because it may fail for lack of memory
            }
            each.waiting++;
        }
    }

    void dequeue(Place place) {
        Share share = place.share();
        share.line().remove(place);
        for (Share each = share; each != null; each = each.parent) {
            if (--each.waiting == 0 && each.parent != null) {
                each.parent.turns().remove(each);
            }
            forget(each);
        }
    }

    /**
     * The first request of the client whose turn it is, among those that may hold more; null if there is none. Its address and its
     * connection are last then.
     */
    @Nullable
    Place next(long capacity) {
        for (int i = all.turns().size(); i > 0; i--) {
            Share address = rotate(all.turns());
            for (int j = mayHold(address, capacity) ? address.turns().size() : 0; j > 0; j--) {
                Share connection = rotate(address.turns());
                if (mayHold(connection, capacity)) {
                    return connection.line().peekFirst();
                }
            }
        }
        return null;
    }

    private static Share rotate(Deque<Share> turns) {
        Share first = turns.removeFirst();
        turns.addLast(first);
        return first;
    }

    /**
     * The request that makes room in a full queue for one of this client: the last of the connection with most waiting requests, of the
     * address with most; null if the client itself has most.
     */
    @Nullable
    Place last(Share client) {
        Share mine = Objects.requireNonNull(client.parent);
        Share address = longest(all.turns());
        if (address == null || address.waiting <= mine.waiting + 1) {
            address = mine;
        }
        Share connection = longest(address.turns());
        if (connection == null || address == mine && connection.waiting <= client.waiting + 1) {
            return null;
        }
        return connection.line().peekLast();
    }

    private static @Nullable Share longest(Deque<Share> turns) {
        Share longest = null;
        for (Share each : turns) {
            longest = longest == null || each.waiting > longest.waiting ? each : longest;
        }
        return longest;
    }

    // ---- both

    private long allowance(Share share, long capacity) {
        Share parent = share.parent;
        if (parent == null) {
            return capacity;
        }
        if (share.key == null) {
            return Long.MAX_VALUE;
        }
        long left = allowance(parent, capacity) - parent.held + share.held;
        boolean unknown = share.key instanceof InetSocketAddress remote && remote.getPort() == 0;
        if (unknown) {
            return left;
        }
        long part = divided(left * percent, WHOLE);
        return parent == all && percent < WHOLE ? Math.min(part, Math.max(STREAMS, divided(part, streams))) : part;
    }

    private static long divided(long number, int by) {
        return Math.floorDiv(number + by - 1, by);
    }

    private void forget(Share share) {
        if (share.held == 0 && share.waiting == 0 && share.key != null) {
            shares.remove(share.key, share);
        }
    }

    /** Forgets a share that was looked up in vain. */
    void drop(Share share) {
        for (Share each = share; each != null; each = each.parent) {
            forget(each);
        }
    }

    /** Whether no client holds anything or waits. */
    boolean isEmpty() {
        return shares.isEmpty();
    }
}

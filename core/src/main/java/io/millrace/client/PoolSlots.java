package io.millrace.client;

import io.millrace.client.ClientShares.Share;
import io.millrace.client.WaitQueue.Entry;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a {@link SessionPool}: their number, and those with room for another request, most recently used first.
 * A connection counts from the dial to its end, and frees its slot once:
 *
 * <pre>
 * from      call     to
 * OPENING   opened   OPEN   the session is open, and assigned to the request that it was dialled for
 * OPENING   gone     GONE   that request gets no session
 * OPEN      gone     GONE
 * </pre>
 *
 * <p>A connection retires when a request on it ends after its maximum age: it gets no more requests, and is closed after its last one. One
 * that has others in progress retires only while at most half of the connections are open, since these others may take long, and it
 * counts until they have ended.
 *
 * <p>Its monitor is the pool's lock: all methods are called with the lock held. Calls only {@code isIdle} and {@code limit} of
 * sessions, which acquire at most the lock of their connection's output. If they throw, nothing has changed.
 */
final class PoolSlots {

    /** By which part the ages at which connections retire differ. */
    private static final double MAX_JITTER = 0.25;

    /** The state of a connection. */
    enum Stage {
        OPENING,
        OPEN,
        GONE
    }

    /** One connection. Guarded by the pool's lock. */
    static class Slot {
        private Stage stage = Stage.OPENING;
        private @Nullable ClientSession session;

        /** Whose requests it was assigned to. */
        private final List<Share> holders = new ArrayList<>(1);

        /** The expected maximum number of requests. */
        private int max;

        private boolean isFree;

        /** When it gets no more requests, by {@link System#nanoTime}. */
        private long retiresAt;

        /** Whether it gets no more requests. */
        private boolean isRetired;
    }

    private final int maxConnections;
    private final ClientShares shares;
    private final boolean single;
    private final boolean shared;
    private final long maxAge;
    private final IdentityHashMap<ClientSession, Slot> open = new IdentityHashMap<>();
    private final Deque<Slot> free = new ArrayDeque<>();
    private int connections;
    private int opening;

    /** The number of concurrent requests that a new connection is expected to allow: as many as the last one. */
    private int streams;

    /**
     * No connections.
     *
     * @param single whether each connection is used for one request only
     * @param streams the number of concurrent requests that a connection is expected to allow
     */
    PoolSlots(PoolLimits limits, ClientShares shares, boolean single, int streams) {
        maxConnections = limits.maxConnections();
        maxAge = limits.maxAge().toNanos();
        this.shares = shares;
        this.single = single;
        this.streams = streams;
        shared = streams > 1;
        shares.streams(streams);
    }

    /** The number of connections that are open or being opened. */
    int connections() {
        return connections;
    }

    /** The number of open connections without a request. */
    int idle() {
        return (int) free.stream().filter(slot -> slot.holders.isEmpty()).count();
    }

    /** Whether another connection may be dialled. */
    boolean mayDial() {
        return connections < maxConnections && !isSharedOpening();
    }

    /** Whether a connection with room for several requests is being opened. */
    private boolean isSharedOpening() {
        return opening > 0 && shared;
    }

    /** The number of concurrent requests that all connections together are expected to allow. */
    long capacity() {
        return Math.min(Integer.MAX_VALUE, (long) maxConnections * streams);
    }

    /** The number of requests that may wait while a shared connection is being opened: as many as all new ones may allow. */
    long expected() {
        return isSharedOpening() ? (long) streams * (maxConnections - connections + opening) : 0;
    }

    /** Records that a connection is being dialled for a request of this client. */
    void dialled(Slot slot, Share client) {
        slot.holders.add(client);
        shares.hold(client);
        connections++;
        opening++;
    }

    /** Records that a session is open and assigned to a request. False if the connection has ended meanwhile. */
    boolean opened(Slot slot, ClientSession session) {
        if (slot.stage != Stage.OPENING) {
            return false;
        }
        open.put(session, slot); // first, because it may fail for lack of memory
        slot.stage = Stage.OPEN;
        slot.session = session;
        slot.max = streams;
        slot.retiresAt =
                System.nanoTime() + maxAge - (long) (ThreadLocalRandom.current().nextDouble() * MAX_JITTER * maxAge);
        opening--;
        return true;
    }

    /** Removes a connection. Returns its previous state. */
    Stage gone(Slot slot) {
        Stage last = slot.stage;
        if (last != Stage.GONE) {
            slot.stage = Stage.GONE;
            connections--;
            opening -= last == Stage.OPENING ? 1 : 0;
            free.remove(slot);
            slot.holders.forEach(shares::giveBack);
            slot.holders.clear();
            if (slot.session != null) {
                open.remove(slot.session);
                slot.session = null;
            }
        }
        return last;
    }

    /** The connection of this session; null if it is not open. */
    @Nullable
    Slot find(ClientSession session) {
        return open.get(session);
    }

    /** Whether a request could be assigned to an open connection now, or another one be dialled for it. */
    boolean isAvailable() {
        return free() != null || mayDial();
    }

    /** Assigns a request of this client to an open connection; null if none has room. */
    @Nullable
    ClientSession take(Share client) {
        Slot slot = free();
        if (slot == null) {
            return null;
        }
        int room = room(slot);
        assign(slot, client);
        if (room == 1) {
            remove(slot);
        }
        return slot.session;
    }

    /** The connection used last of those with room; null if there is none. */
    private @Nullable Slot free() {
        while (!free.isEmpty()) {
            Slot slot = free.getLast();
            if (room(slot) > 0) {
                return slot;
            }
            remove(slot);
        }
        return null;
    }

    /** Removes the last of the free ones. */
    private void remove(Slot slot) {
        free.removeLast();
        slot.isFree = false;
    }

    private void assign(Slot slot, Share client) {
        slot.holders.add(client);
        shares.hold(client);
    }

    /** Sets the limit of concurrent requests that a connection's server allows, possibly 0. */
    void limited(Slot slot, int limit) {
        streams = limit > 0 ? limit : streams;
        shares.streams(streams);
        slot.max = limit;
    }

    /** Records that a request of this client has ended on a connection. */
    void returned(Slot slot, Share client) {
        if (slot.holders.remove(client)) { // otherwise the connection has ended before
            shares.giveBack(client);
        } else {
            shares.drop(client);
        }
        boolean replaceable = slot.holders.isEmpty() || 2 * connections <= maxConnections;
        slot.isRetired |= replaceable && maxAge > 0 && System.nanoTime() - slot.retiresAt >= 0;
    }

    /**
     * Assigns this connection to the next waiter; null if it has no room, or nobody waits that may hold more: it is then free for later
     * requests.
     */
    SessionPool.@Nullable Waiter serve(Slot slot, WaitQueue queue) {
        if (room(slot) <= 0) {
            return null;
        }
        Entry next = queue.next(capacity());
        if (next != null) {
            assign(slot, next.share());
            queue.remove(next.waiter());
            return next.waiter();
        }
        if (!slot.isFree) {
            free.addLast(slot);
            slot.isFree = true;
        }
        return null;
    }

    private int room(Slot slot) {
        ClientSession session = slot.session;
        return session != null && !single && !slot.isRetired && session.isIdle()
                ? Math.min(slot.max, session.limit()) - slot.holders.size()
                : 0;
    }

    /** Whether it is open without a request, and will get no other. */
    boolean isDone(Slot slot, boolean closed) {
        return (closed || single || slot.isRetired) && slot.stage == Stage.OPEN && slot.holders.isEmpty();
    }

    /** The sessions without a request. */
    List<ClientSession> unused() {
        return open.entrySet().stream()
                .filter(each -> each.getValue().holders.isEmpty())
                .map(Map.Entry::getKey)
                .toList();
    }
}

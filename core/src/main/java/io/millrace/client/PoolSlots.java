package io.millrace.client;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
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
 * <p>Its monitor is the pool's lock: all methods are called with the lock held. Calls only {@code isIdle} and {@code limit} of
 * sessions, which acquire at most the lock of their connection's output. If they throw, nothing has changed.
 */
final class PoolSlots {

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

        /** The number of requests that it was assigned to. */
        private int requests;

        /** The expected maximum number of requests. */
        private int max;

        private boolean isFree;
    }

    private final int maxConnections;
    private final boolean single;
    private final boolean shared;
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
    PoolSlots(int maxConnections, boolean single, int streams) {
        this.maxConnections = maxConnections;
        this.single = single;
        this.streams = streams;
        shared = streams > 1;
    }

    /** The number of connections that are open or being opened. */
    int connections() {
        return connections;
    }

    /** The number of open connections without a request. */
    int idle() {
        return (int) free.stream().filter(slot -> slot.requests == 0).count();
    }

    /** Whether another connection may be dialled. */
    boolean mayDial() {
        return connections < maxConnections && !isSharedOpening();
    }

    /** Whether a connection with room for several requests is being opened. */
    private boolean isSharedOpening() {
        return opening > 0 && shared;
    }

    /** The number of requests that may wait while a shared connection is being opened: as many as all new ones may allow. */
    long expected() {
        return isSharedOpening() ? (long) streams * (maxConnections - connections + opening) : 0;
    }

    /** Records that a connection is being dialled. */
    void dialled() {
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
        slot.requests = 1;
        slot.max = streams;
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

    /** Assigns a request to an open connection; null if none has room. */
    @Nullable
    ClientSession take() {
        ClientSession taken = null;
        while (taken == null && !free.isEmpty()) {
            Slot slot = free.getLast();
            int room = room(slot);
            if (room > 0) {
                slot.requests++;
                taken = slot.session;
            }
            if (room <= 1) {
                free.removeLast();
                slot.isFree = false;
            }
        }
        return taken;
    }

    /** Sets the limit of concurrent requests that a connection's server allows, possibly 0. */
    void limited(Slot slot, int limit) {
        streams = limit > 0 ? limit : streams;
        slot.max = limit;
    }

    /** Records that requests of a connection have ended. */
    void returned(Slot slot, int requests) {
        slot.requests -= requests;
    }

    /** Assigns this connection to the first waiter; null if it has no room, or nobody waits: it is then free for later requests. */
    SessionPool.@Nullable Waiter serve(Slot slot, WaitQueue queue) {
        if (room(slot) <= 0) {
            return null;
        }
        SessionPool.Waiter next = queue.poll();
        if (next != null) {
            slot.requests++;
        } else if (!slot.isFree) {
            free.addLast(slot);
            slot.isFree = true;
        }
        return next;
    }

    private int room(Slot slot) {
        ClientSession session = slot.session;
        return session != null && !single && session.isIdle() ? Math.min(slot.max, session.limit()) - slot.requests : 0;
    }

    /** Whether it is open without a request, and will get no other. */
    boolean isDone(Slot slot, boolean closed) {
        return (closed || single) && slot.stage == Stage.OPEN && slot.requests == 0;
    }

    /** The sessions without a request. */
    List<ClientSession> unused() {
        return open.entrySet().stream()
                .filter(each -> each.getValue().requests == 0)
                .map(Map.Entry::getKey)
                .toList();
    }
}

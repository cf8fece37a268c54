package io.millrace.client;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a {@link SessionPool}: how many there are, and which have room for another request, the one used last first. A
 * connection counts from its dial to its end, and gives its place back once:
 *
 * <pre>
 * from      call     to
 * OPENING   opened   OPEN   its session is there, with the request that it was dialled for
 * OPENING   gone     GONE   that request gets no session
 * OPEN      gone     GONE
 * </pre>
 *
 * <p>Its monitor is the pool's lock: each method is called with it. Calls nothing but {@code isIdle} and {@code limit} of sessions, which
 * take at most the lock of their connection's output. Whatever those throw, nothing has changed.
 */
final class PoolSlots {

    /** How far a connection is. */
    enum Stage {
        OPENING,
        OPEN,
        GONE
    }

    /** One connection. Guarded by the pool's lock. */
    static class Slot {
        private Stage stage = Stage.OPENING;
        private @Nullable ClientSession session;

        /** Requests that it carries, or was given to. */
        private int given;

        /** How many it is expected to take. */
        private int most;

        private boolean isFree;
    }

    private final int maxConnections;
    private final boolean single;
    private final boolean shared;
    private final IdentityHashMap<ClientSession, Slot> open = new IdentityHashMap<>();
    private final Deque<Slot> free = new ArrayDeque<>();
    private int connections;
    private int opening;

    /** How many requests a new connection is expected to carry at a time: as many as the last one. */
    private int streams;

    /**
     * None yet.
     *
     * @param single is each connection for one request?
     * @param streams how many requests a connection is expected to carry at a time
     */
    PoolSlots(int maxConnections, boolean single, int streams) {
        this.maxConnections = maxConnections;
        this.single = single;
        this.streams = streams;
        shared = streams > 1;
    }

    /** Open, or being opened. */
    int connections() {
        return connections;
    }

    /** Open, and without a request. */
    int idle() {
        return (int) free.stream().filter(slot -> slot.given == 0).count();
    }

    /** May another connection be dialled? */
    boolean mayDial() {
        return connections < maxConnections && !isSharedOpening();
    }

    /** Is a connection being opened that has room for several? */
    private boolean isSharedOpening() {
        return opening > 0 && shared;
    }

    /** How many requests may wait for connections being opened: as many as those that may still open will carry. */
    long expected() {
        return isSharedOpening() ? (long) streams * (maxConnections - connections + opening) : 0;
    }

    /** A connection is dialled. */
    void dialled() {
        connections++;
        opening++;
    }

    /** Its session is there, and is given to a request. False if the connection has gone meanwhile. */
    boolean opened(Slot slot, ClientSession session) {
        if (slot.stage != Stage.OPENING) {
            return false;
        }
        open.put(session, slot); // before anything else, as it may lack memory
        slot.stage = Stage.OPEN;
        slot.session = session;
        slot.given = 1;
        slot.most = streams;
        opening--;
        return true;
    }

    /** It does not count any more. Returns its stage before. */
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

    /** Gives a request room on an open connection; null if there is none. */
    @Nullable
    ClientSession take() {
        ClientSession taken = null;
        while (taken == null && !free.isEmpty()) {
            Slot slot = free.getLast();
            int room = room(slot);
            if (room > 0) {
                slot.given++;
                taken = slot.session;
            }
            if (room <= 1) {
                free.removeLast();
                slot.isFree = false;
            }
        }
        return taken;
    }

    /** A connection's server has said how many requests it takes, which may be none for now. */
    void limited(Slot slot, int limit) {
        streams = limit > 0 ? limit : streams;
        slot.most = limit;
    }

    /** Requests of a connection are over. */
    void returned(Slot slot, int requests) {
        slot.given -= requests;
    }

    /** Gives the first in line room on this connection; null if there is none, or nobody: then it is free for those to come. */
    SessionPool.@Nullable Waiter serve(Slot slot, WaitingLine line) {
        if (room(slot) <= 0) {
            return null;
        }
        SessionPool.Waiter next = line.poll();
        if (next != null) {
            slot.given++;
        } else if (!slot.isFree) {
            free.addLast(slot);
            slot.isFree = true;
        }
        return next;
    }

    private int room(Slot slot) {
        ClientSession session = slot.session;
        return session != null && !single && session.isIdle() ? Math.min(slot.most, session.limit()) - slot.given : 0;
    }

    /** Is it open, without a request, and will not get another? */
    boolean isDone(Slot slot, boolean closed) {
        return (closed || single) && slot.stage == Stage.OPEN && slot.given == 0;
    }

    /** The sessions without a request. */
    List<ClientSession> unused() {
        return open.entrySet().stream()
                .filter(each -> each.getValue().given == 0)
                .map(Map.Entry::getKey)
                .toList();
    }
}

package io.millrace.connector.apr.binding;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.millrace.io.socket.UseCount;
import io.millrace.natives.Pointers;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** apr_pollset_t, over epoll: the sockets that one thread polls. Confined to that thread, except {@link #wakeUp}. */
public final class Pollset {

    private static final long COUNT = 0;
    private static final long DESCRIPTORS = 8;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment out = arena.allocate(16, 8);
    private final Slots slots = new Slots(arena);
    private final UseCount uses = new UseCount();
    private final long pool;
    private final long pollset;

    /**
     * Creates an empty pollset.
     *
     * @param events the most events of one poll; the number of sockets is not limited
     */
    public Pollset(int events) throws IOException {
        boolean made = false;
        long memory = 0;
        try {
            memory = Pools.create();
            pollset = PollsetCalls.create(events, memory);
            pool = memory;
            made = true;
        } finally {
            if (!made) {
                if (memory != 0) {
                    Pools.destroy(memory);
                }
                arena.close();
            }
        }
    }

    /**
     * Waits until a socket is ready or {@link #wakeUp} is called, or returns at once if it was called before.
     *
     * @param micros the timeout in microseconds; -1 for none
     * @return the number of ready sockets, for {@link #dispatch}
     */
    public int await(long micros) throws IOException {
        long base = out.address();
        int status = PollsetCalls.poll(pollset, micros, base + COUNT, base + DESCRIPTORS);
        if (status == AprStatus.EINTR || status == AprStatus.TIMEUP) {
            return 0;
        }
        AprStatus.check("poll", status);
        return out.get(JAVA_INT, COUNT);
    }

    /** Notifies the sockets that are ready. */
    public void dispatch(int count) {
        if (count == 0) {
            return;
        }
        long size = Layouts.POLLFD.byteSize();
        MemorySegment ready = Pointers.at(out.get(JAVA_LONG, DESCRIPTORS), count * size);
        for (int i = 0; i < count; i++) {
            AprSocket socket = slots.find(ready.get(JAVA_LONG, i * size + Layouts.POLLFD_CLIENT_DATA));
            if (socket != null) {
                socket.ready(ready.get(JAVA_SHORT, i * size + Layouts.POLLFD_RTNEVENTS));
            }
        }
    }

    /** Ends the current wait, or the next one. Thread-safe; no effect once closed. */
    public void wakeUp() {
        if (uses.enter()) {
            PollsetCalls.wakeUp(pollset);
            leave();
        }
    }

    /** Adds a socket, for which no event is watched yet. */
    void join(AprSocket socket) {
        int slot = slots.acquire(socket);
        socket.joined(this, slot, slots.memory(slot));
    }

    /** Removes a socket that has been destroyed or has left, and frees its slot. */
    public void forget(AprSocket socket) {
        slots.release(socket.slot());
    }

    int add(MemorySegment slot) {
        return PollsetCalls.add(pollset, slot.address());
    }

    int remove(MemorySegment slot) {
        return PollsetCalls.remove(pollset, slot.address());
    }

    /**
     * Destroys the pollset.
     *
     * @throws IllegalStateException if it still has sockets
     */
    public void close() {
        if (!slots.areAllFree()) {
            throw new IllegalStateException("the pollset still has sockets; destroy them first");
        }
        if (uses.close()) {
            leave();
        }
    }

    private void leave() {
        if (uses.leave()) {
            PollsetCalls.destroy(pollset);
            Pools.destroy(pool);
            arena.close();
        }
    }
}

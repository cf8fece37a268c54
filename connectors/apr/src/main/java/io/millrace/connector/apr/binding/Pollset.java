package io.millrace.connector.apr.binding;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.millrace.io.socket.UseCount;
import io.millrace.natives.Pointers;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** apr_pollset_t, over epoll: the sockets that one thread waits for. All but {@link #wakeUp} is for that thread. */
public final class Pollset {

    private static final long COUNT = 0;
    private static final long DESCRIPTORS = 8;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment out = arena.allocate(16, 8);
    private final Slots slots = new Slots(arena);
    private final UseCount gate = new UseCount();
    private final long pool;
    private final long pollset;

    /**
     * An empty one.
     *
     * @param events how many it reports at a time; the number of its sockets has no limit
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
     * Waits until a socket is ready or {@link #wakeUp} is called; also if it was called just before.
     *
     * @param micros how long at most; -1 for ever
     * @return how many sockets are ready, for {@link #tell}
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

    /** Tells those that are ready. */
    public void tell(int count) {
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

    /** Ends the wait that is under way, or the next. Any thread; does nothing once closed. */
    public void wakeUp() {
        if (gate.enter()) {
            PollsetCalls.wakeUp(pollset);
            leave();
        }
    }

    /** Makes a socket one of those that may be watched. */
    void join(AprSocket socket) {
        int slot = slots.take(socket);
        socket.joined(this, slot, slots.memory(slot));
    }

    /** Forgets a socket that is gone. */
    public void forget(AprSocket socket) {
        slots.giveBack(socket.slot());
    }

    int add(MemorySegment slot) {
        return PollsetCalls.add(pollset, slot.address());
    }

    int remove(MemorySegment slot) {
        return PollsetCalls.remove(pollset, slot.address());
    }

    /**
     * Destroys it.
     *
     * @throws IllegalStateException if one of its sockets has not been forgotten
     */
    public void close() {
        if (!slots.areAllFree()) {
            throw new IllegalStateException("the pollset still has sockets; destroy them first");
        }
        if (gate.close()) {
            leave();
        }
    }

    private void leave() {
        if (gate.leave()) {
            PollsetCalls.destroy(pollset);
            Pools.destroy(pool);
            arena.close();
        }
    }
}

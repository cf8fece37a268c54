package io.millrace.connector.apr.binding;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.millrace.io.socket.UseCount;
import io.millrace.natives.Pointers;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** apr_pollset_t, over epoll: the sockets that one thread at a time polls. Confined to that thread, except {@link #wakeUp}. */
public final class Pollset {

    private static final long COUNT = 0;
    private static final long DESCRIPTORS = 8;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment out = arena.allocate(16, 8);
    private final Slots slots = new Slots(arena);
    private final UseCount uses = new UseCount();
    private final long pool;
    private final long pollset;

    /** The descriptors that the last poll found ready. */
    private MemorySegment ready = MemorySegment.NULL;

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
     * @return the number of ready sockets, for {@link #notifyReady}
     */
    public int await(long micros) throws IOException {
        long base = out.address();
        int status = PollsetCalls.poll(pollset, micros, base + COUNT, base + DESCRIPTORS);
        if (status == AprStatus.EINTR || status == AprStatus.TIMEUP) {
            return 0;
        }
        AprStatus.check("poll", status);
        int count = out.get(JAVA_INT, COUNT);
        ready = Pointers.at(out.get(JAVA_LONG, DESCRIPTORS), count * Layouts.POLLFD.byteSize());
        return count;
    }

    /** Notifies the first sockets, so many, that the last {@link #await} found ready. */
    void dispatch(int count) {
        for (int i = 0; i < count; i++) {
            notifyReady(i);
        }
    }

    /** Notifies one of the sockets that the last {@link #await} found ready, if it is still there. */
    public void notifyReady(int index) {
        long offset = index * Layouts.POLLFD.byteSize();
        AprSocket socket = slots.find(ready.get(JAVA_LONG, offset + Layouts.POLLFD_CLIENT_DATA));
        if (socket != null) {
            socket.ready(ready.get(JAVA_SHORT, offset + Layouts.POLLFD_RTNEVENTS));
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

    /** The functions of apr_poll.h. Each returns an {@link AprStatus}. */
    private static final class PollsetCalls {

        /**
         * Other threads may add and remove during a poll; descriptors are not copied but referenced (otherwise a removal would
         * search a list); a poll can be woken.
         */
        private static final int THREADSAFE_NOCOPY_WAKEABLE = 1 | 2 | 4;

        /** Fails if the requested method is not available. */
        private static final int NODEFAULT = 0x10;

        private static final int EPOLL = 4;

        private static final MethodHandle CREATE =
                AprLibrary.function("apr_pollset_create_ex", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT);
        private static final MethodHandle DESTROY = AprLibrary.function("apr_pollset_destroy", JAVA_LONG);
        private static final MethodHandle ADD = AprLibrary.function("apr_pollset_add", JAVA_LONG, JAVA_LONG);
        private static final MethodHandle REMOVE = AprLibrary.function("apr_pollset_remove", JAVA_LONG, JAVA_LONG);
        private static final MethodHandle POLL =
                AprLibrary.function("apr_pollset_poll", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
        private static final MethodHandle WAKEUP = AprLibrary.function("apr_pollset_wakeup", JAVA_LONG);

        private PollsetCalls() {}

        /** Creates a pollset that reports at most this number of events per poll. */
        static long create(int events, long pool) throws IOException {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment out = arena.allocate(JAVA_LONG);
                int status;
                try {
                    status = (int) CREATE.invokeExact(
                            out.address(), events, pool, THREADSAFE_NOCOPY_WAKEABLE | NODEFAULT, EPOLL);
                } catch (Throwable thrown) {
                    throw AprLibrary.unexpected(thrown);
                }
                AprStatus.check("create a pollset", status);
                return out.get(JAVA_LONG, 0);
            }
        }

        static int destroy(long pollset) {
            try {
                return (int) DESTROY.invokeExact(pollset);
            } catch (Throwable thrown) {
                throw AprLibrary.unexpected(thrown);
            }
        }

        static int add(long pollset, long pollfd) {
            try {
                return (int) ADD.invokeExact(pollset, pollfd);
            } catch (Throwable thrown) {
                throw AprLibrary.unexpected(thrown);
            }
        }

        static int remove(long pollset, long pollfd) {
            try {
                return (int) REMOVE.invokeExact(pollset, pollfd);
            } catch (Throwable thrown) {
                throw AprLibrary.unexpected(thrown);
            }
        }

        /** Stores the number of events (an int), and the address of an array with them. */
        static int poll(long pollset, long micros, long outCount, long outDescriptors) {
            try {
                return (int) POLL.invokeExact(pollset, micros, outCount, outDescriptors);
            } catch (Throwable thrown) {
                throw AprLibrary.unexpected(thrown);
            }
        }

        static int wakeUp(long pollset) {
            try {
                return (int) WAKEUP.invokeExact(pollset);
            } catch (Throwable thrown) {
                throw AprLibrary.unexpected(thrown);
            }
        }
    }
}

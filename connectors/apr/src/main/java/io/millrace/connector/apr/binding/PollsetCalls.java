package io.millrace.connector.apr.binding;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** The functions of apr_poll.h. Each returns an {@link AprStatus}. */
final class PollsetCalls {

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
                status = (int)
                        CREATE.invokeExact(out.address(), events, pool, THREADSAFE_NOCOPY_WAKEABLE | NODEFAULT, EPOLL);
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

package io.millrace.io.socket;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Resolves host names on dedicated threads, since the system's resolver blocks, for many seconds if a name server does
 * not respond. The JDK caches addresses for 30 s, and failures for 10 s.
 */
final class HostResolver {

    /** Calls the system's resolver. */
    interface Lookup {

        /** Resolves a name; blocks. */
        InetAddress[] lookUp(String host) throws UnknownHostException;
    }

    /**
     * The maximum number of names resolved at a time; others are queued, while the timeouts of their connection attempts
     * continue.
     */
    private static final int THREADS = 8;

    private static final long KEEP_ALIVE_SECONDS = 10;

    private static final AtomicInteger NUMBER = new AtomicInteger();

    /** Shared by all dialers; its threads end when there is nothing to resolve. */
    static final HostResolver SYSTEM = new HostResolver(InetAddress::getAllByName, pool());

    private final Lookup lookup;
    private final Executor threads;

    HostResolver(Lookup lookup, Executor threads) {
        this.lookup = lookup;
        this.threads = threads;
    }

    private static Executor pool() {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                THREADS,
                THREADS,
                KEEP_ALIVE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                task -> thread(task, "millrace-resolver-" + NUMBER.incrementAndGet()));
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    /** A thread that inherits nothing of the caller, which may be an application. */
    private static Thread thread(Runnable task, String name) {
        Thread thread = new Thread(null, task, name, 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(HostResolver.class.getClassLoader());
        return thread;
    }

    /** Receives the result for a name: exactly one call, on a resolver thread. */
    interface Listener {

        /** The addresses in the order of the attempts; at least one. */
        void found(List<InetAddress> addresses);

        /** There is no address. */
        void failed(Throwable cause);
    }

    /** Starts to resolve a name. */
    void resolve(String host, Listener listener) {
        threads.execute(() -> {
            List<InetAddress> found;
            try {
                found = alternating(lookup.lookUp(host));
            } catch (Throwable failed) {
                listener.failed(failed);
                return;
            }
            listener.found(found);
        });
    }

    /** Keeps the system's order, but alternates between the address families as long as both are left (RFC 8305, 4). */
    static List<InetAddress> alternating(InetAddress... addresses) {
        Class<?> first = addresses[0].getClass();
        Deque<InetAddress> same = new ArrayDeque<>();
        Deque<InetAddress> other = new ArrayDeque<>();
        for (InetAddress each : addresses) {
            (each.getClass().equals(first) ? same : other).add(each);
        }
        List<InetAddress> order = new ArrayList<>();
        while (!same.isEmpty() || !other.isEmpty()) {
            if (!same.isEmpty()) {
                order.add(same.remove());
            }
            if (!other.isEmpty()) {
                order.add(other.remove());
            }
        }
        return order;
    }
}

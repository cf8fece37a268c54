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
 * Resolves host names on threads of its own, since the system's resolver blocks, for many seconds where a name server does not
 * answer. The JDK caches what it found for 30 s, and for 10 s that it found nothing.
 */
final class HostResolver {

    /** Asks the system. */
    interface Lookup {

        /** Blocks. */
        InetAddress[] lookUp(String host) throws UnknownHostException;
    }

    /** So many names at once; the others wait, and with them the time of their dials passes. */
    private static final int THREADS = 8;

    private static final long SPARE_SECONDS = 10;

    private static final AtomicInteger NUMBER = new AtomicInteger();

    /** Of all dialers: its threads end when there is nothing to resolve. */
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
                SPARE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                task -> thread(task, "millrace-resolver-" + NUMBER.incrementAndGet()));
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    /** With nothing of the caller, who may be an application. */
    private static Thread thread(Runnable task, String name) {
        Thread thread = new Thread(null, task, name, 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(HostResolver.class.getClassLoader());
        return thread;
    }

    /** What comes of a name: one call, once, on a resolver's thread. */
    interface Answer {

        /** In the order in which to try them; at least one. */
        void found(List<InetAddress> addresses);

        /** Why there is no address. */
        void failed(Throwable cause);
    }

    /** Begins to resolve a name. */
    void resolve(String host, Answer answer) {
        threads.execute(() -> {
            List<InetAddress> found;
            try {
                found = alternating(lookup.lookUp(host));
            } catch (Throwable failed) {
                answer.failed(failed);
                return;
            }
            answer.found(found);
        });
    }

    /** In the system's order, but so that the address after one is of the other family while there is one (RFC 8305, 4). */
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

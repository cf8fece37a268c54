package io.millrace.cluster.redis;

import java.io.IOException;
import java.security.AccessController;
import java.security.PrivilegedAction;
import java.time.Duration;
import java.util.Deque;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * Connections that are open, so that a call is made on the thread of its caller, which a hand-over to another thread would cost more
 * than the call itself. No call lasts longer than its timeout:
 *
 * <ul>
 *   <li>Whatever may wait for more than an answer of Redis (name servers, TLS, Sentinels, a connection that others use) happens on
 *       threads of this class. A caller that gives up leaves them behind, and the connection is ready for the next one.
 *   <li>A watch closes the connections of calls that are overdue, as a socket's timeout is that of a packet: an answer may arrive
 *       a byte at a time, and a write may find no room.
 * </ul>
 *
 * <p>The watch runs while calls are made:
 *
 * <pre>
 *         a call begins           the timer is due
 * OFF     BUSY, starts the timer  -
 * QUIET   BUSY                    OFF if no call runs
 * BUSY    BUSY                    QUIET
 * </pre>
 *
 * <p>Thread-safe.
 */
final class ReadyConnections implements AutoCloseable {

    private static final int THREAD_IDLE_SECONDS = 10;
    private static final Deque<Link> NONE = new ConcurrentLinkedDeque<>();

    /** A call of which less than the rest was left when it began is looked at when it is overdue. */
    private static final int TOLERATED_PART = 10;

    /** The watch looks no more often. */
    private static final long LEAST_PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final String engine;
    private final int most;
    private final Opening opening;
    private final Predicate<Connection> isCurrent;

    /** By the server that they lead to, those that no call uses. */
    private final Map<HostAndPort, Deque<Link>> ready = new ConcurrentHashMap<>();

    /** Which server has a slot, as far as it is known. */
    private final Map<Integer, HostAndPort> servers = new ConcurrentHashMap<>();

    private final Set<Link> links = ConcurrentHashMap.newKeySet();
    private final ThreadPoolExecutor openers;
    private final ScheduledThreadPoolExecutor timer;
    private final AtomicReference<Watch> watch = new AtomicReference<>(Watch.OFF);

    /** Callers for which a connection is being opened, or that wait for one of others. */
    private final AtomicInteger waiting = new AtomicInteger();

    /** A call that begins after the watch has looked is not overdue before this has passed. */
    private volatile long shortestTimeout = Long.MAX_VALUE;

    private volatile boolean closed;

    private enum Watch {
        OFF,
        QUIET,
        BUSY
    }

    /** Gets a connection from a pool, to which it returns when it is closed. May block for long. */
    interface Opening {

        /** To the server that has a slot. */
        Connection open(int slot) throws IOException;

        /** To a server that another one has named. */
        Connection open(HostAndPort server) throws IOException;
    }

    /** What is asked through a connection. */
    interface Call {
        @Nullable
        Object on(Connection connection);
    }

    /**
     * None yet.
     *
     * @param engine for messages
     * @param most how many connections may be opened at a time, and that a server may have
     * @param isCurrent whether a connection leads to the server that is the right one now
     */
    ReadyConnections(String engine, int most, Opening opening, Predicate<Connection> isCurrent) {
        this.engine = engine;
        this.most = most;
        this.opening = opening;
        this.isCurrent = isCurrent;
        openers = new ThreadPoolExecutor(
                most,
                most,
                THREAD_IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                task -> thread("open", task));
        openers.allowCoreThreadTimeOut(true);
        timer = new ScheduledThreadPoolExecutor(1, task -> thread("watch", task));
        timer.setKeepAliveTime(THREAD_IDLE_SECONDS, TimeUnit.SECONDS);
        timer.allowCoreThreadTimeOut(true);
    }

    /** The first call may be made by an application that must remain collectable: the thread inherits nothing of it. */
    @SuppressWarnings("removal") // AccessController: needed only before Java 24
    private static Thread thread(String what, Runnable task) {
        Thread thread = AccessController.doPrivileged(
                (PrivilegedAction<Thread>) () -> new Thread(null, task, "redis-" + what, 0, false));
        thread.setContextClassLoader(ReadyConnections.class.getClassLoader());
        thread.setDaemon(true);
        return thread;
    }

    /** Announces calls with this timeout. */
    synchronized void limit(Duration timeout) {
        shortestTimeout = Math.min(shortestTimeout, timeout.toNanos());
    }

    // ---- calls

    /**
     * Makes a call on this thread.
     *
     * @param slot of the key; any number if one server has them all
     * @param timeout for messages
     * @param deadline by {@code System.nanoTime()}
     * @throws IOException if it did not end in time, or the connections are closed
     * @throws redis.clients.jedis.exceptions.JedisException if Redis refuses it, or the connection fails
     */
    @Nullable
    Object call(int slot, Call call, Duration timeout, long deadline) throws IOException {
        HostAndPort server = servers.get(slot);
        Link link = server == null ? null : readyOne(server);
        return call(link == null ? opened(() -> linkTo(slot), timeout, deadline) : link, call, timeout, deadline);
    }

    /** As {@link #call(int, Call, Duration, long)}, to a server that another one has named for once. */
    @Nullable
    Object call(HostAndPort server, Call call, Duration timeout, long deadline) throws IOException {
        Link link = readyOne(server);
        return call(link == null ? opened(() -> linkTo(server), timeout, deadline) : link, call, timeout, deadline);
    }

    private @Nullable Object call(Link link, Call call, Duration timeout, long deadline) throws IOException {
        boolean isWhole = false;
        try {
            link.begin(deadline);
            watch(deadline);
            Object answer = call.on(link.connection);
            if (!link.end()) {
                // Jedis opens a connection that was closed before a command again: as nobody, in the first database
                throw late(timeout, null);
            }
            isWhole = true;
            return answer;
        } catch (JedisDataException refused) {
            if (!link.end()) {
                throw late(timeout, refused);
            }
            isWhole = true;
            throw refused;
        } catch (JedisConnectionException e) {
            if (link.isCut()) {
                throw late(timeout, e);
            }
            throw e;
        } finally {
            if (!link.end() || !isWhole) {
                link.connection.setBroken(); // the rest of an answer must not be taken for the next one
            }
            release(link);
        }
    }

    private IOException late(Duration timeout, @Nullable Throwable cause) {
        return new IOException(RedisFailure.late(engine, timeout.toMillis()), cause);
    }

    private @Nullable Link readyOne(HostAndPort server) {
        Deque<Link> free = ready.getOrDefault(server, NONE);
        for (Link link = free.poll(); link != null; link = free.poll()) {
            if (isCurrent.test(link.connection)) {
                return link;
            }
            link.connection.setBroken();
            drop(link);
        }
        return null;
    }

    private void release(Link link) {
        if (closed || link.connection.isBroken()) {
            drop(link);
            return;
        }
        Deque<Link> free = ready.computeIfAbsent(link.server, server -> new ConcurrentLinkedDeque<>());
        free.push(link);
        if (closed || waiting.get() > 0) {
            Link spare = free.poll();
            if (spare != null) {
                drop(spare); // to the pool, where an opener may wait for it
            }
        }
    }

    /** Returns a connection to its pool, which opens another one in the place of one that is broken: not on this thread. */
    private void drop(Link link) {
        links.remove(link);
        boolean handedOver = false;
        try {
            if (link.connection.isBroken()) {
                openers.execute(link.connection::close);
                handedOver = true;
            }
        } catch (RejectedExecutionException closing) {
            // the pool opens no more
        }
        if (!handedOver) {
            link.connection.close();
        }
    }

    /** Forgets which server has a slot. */
    void forget(int slot) {
        servers.remove(slot);
    }

    /** Returns the connections that wait for a call to their pool, and forgets which server has which slot. */
    void clear() {
        servers.clear();
        returnReady();
    }

    private void returnReady() {
        for (Deque<Link> free : ready.values()) {
            for (Link link = free.poll(); link != null; link = free.poll()) {
                drop(link);
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        openers.shutdown();
        timer.shutdownNow();
        clear();
    }

    // ---- opening

    private interface LinkTo {
        Link open() throws IOException;
    }

    private Link opened(LinkTo link, Duration timeout, long deadline) throws IOException {
        CompletableFuture<Link> result = new CompletableFuture<>();
        waiting.incrementAndGet();
        try {
            openers.execute(() -> open(link, result));
            return result.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            throw new IOException("the connections to Redis are closed", e);
        } catch (TimeoutException e) {
            return unlessGivenUp(result, late(timeout, null));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return unlessGivenUp(result, new IOException("interrupted while connecting to Redis", e));
        } catch (ExecutionException e) {
            throw failure(e.getCause());
        } finally {
            waiting.decrementAndGet();
        }
    }

    /** The connection, if it has come just now. */
    private static Link unlessGivenUp(CompletableFuture<Link> result, IOException reason) throws IOException {
        if (result.completeExceptionally(reason)) {
            throw reason;
        }
        try {
            return result.get();
        } catch (InterruptedException e) { // it is complete
            Thread.currentThread().interrupt();
            throw reason;
        } catch (ExecutionException e) {
            throw failure(e.getCause());
        }
    }

    private static IOException failure(@Nullable Throwable cause) {
        if (cause instanceof RuntimeException unchecked) {
            throw unchecked;
        }
        if (cause instanceof Error error) {
            throw error;
        }
        return cause instanceof IOException io ? io : new IOException(cause);
    }

    private void open(LinkTo link, CompletableFuture<Link> result) {
        if (result.isDone()) {
            return; // its caller has given up
        }
        try {
            Link opened = link.open();
            if (!result.complete(opened)) {
                release(opened);
            }
        } catch (IOException | RuntimeException | Error e) {
            result.completeExceptionally(e);
        }
    }

    private Link linkTo(int slot) throws IOException {
        HostAndPort known = servers.get(slot);
        Link free = known == null ? null : readyOne(known); // of a call that has ended meanwhile
        if (free != null) {
            return free;
        }
        if (links.size() >= most) {
            returnReady(); // they may be all that its server may have
        }
        Link opened = new Link(opening.open(slot));
        links.add(opened);
        servers.put(slot, opened.server);
        return opened;
    }

    private Link linkTo(HostAndPort server) throws IOException {
        if (links.size() >= most) {
            returnReady();
        }
        Link opened = new Link(opening.open(server));
        links.add(opened);
        return opened;
    }

    /** An open connection. */
    private static final class Link {

        private static final long FREE = 0;
        private static final long CUT = 1;

        /** Makes a time differ from the other values. */
        private static final long TIME = 2;

        private final Connection connection;
        private final HostAndPort server;

        /** When the call that uses it is overdue. */
        private final AtomicLong state = new AtomicLong();

        Link(Connection connection) {
            this.connection = connection;
            server = connection.getHostAndPort();
        }

        void begin(long deadline) {
            state.set(deadline | TIME);
        }

        /** False if it was cut. */
        boolean end() {
            return state.getAndUpdate(now -> now == CUT ? CUT : FREE) != CUT;
        }

        boolean isCut() {
            return state.get() == CUT;
        }

        /** The time that its call has left; negative if it is overdue; {@code Long.MAX_VALUE} without a call. */
        long left(long now) {
            long at = state.get();
            return at == FREE || at == CUT ? Long.MAX_VALUE : at - now;
        }

        /** Ends the call if it is overdue. */
        void cut(long now) {
            long at = state.get();
            if (at != FREE && at != CUT && at - now <= 0 && state.compareAndSet(at, CUT)) {
                try {
                    connection.forceDisconnect();
                } catch (IOException | RuntimeException e) {
                    connection.setBroken(); // it is closed in any case
                }
            }
        }
    }

    // ---- the watch

    private void watch(long deadline) {
        long left = deadline - System.nanoTime();
        if (left < shortestTimeout - shortestTimeout / TOLERATED_PART) {
            try {
                var unused = timer.schedule(this::cutOverdue, left, TimeUnit.NANOSECONDS);
            } catch (RejectedExecutionException closing) {
                // socket timeouts remain
            }
        }
        Watch now = watch.get();
        if (now == Watch.BUSY || now == Watch.QUIET && watch.compareAndSet(Watch.QUIET, Watch.BUSY)) {
            return;
        }
        if (watch.compareAndSet(Watch.OFF, Watch.BUSY)) {
            schedule(shortestTimeout);
        }
    }

    private void schedule(long nanos) {
        boolean scheduled = false;
        try {
            long period = Math.max(nanos, LEAST_PERIOD_NANOS);
            scheduled =
                    !timer.schedule(this::look, period, TimeUnit.NANOSECONDS).isCancelled();
        } catch (RejectedExecutionException closing) {
            // socket timeouts remain
        } finally {
            if (!scheduled) {
                watch.set(Watch.OFF);
            }
        }
    }

    private void look() {
        boolean looked = false;
        try {
            long next = cutOverdue();
            boolean isRunning = next != Long.MAX_VALUE;
            boolean goesOn = watch.compareAndSet(Watch.BUSY, Watch.QUIET)
                    || isRunning
                    || !watch.compareAndSet(Watch.QUIET, Watch.OFF);
            if (goesOn) {
                schedule(Math.min(next, shortestTimeout));
            }
            looked = true;
        } finally {
            if (!looked) {
                watch.set(Watch.OFF); // the next call starts it again
            }
        }
    }

    /** Returns when the next call is overdue, of those that run. */
    private long cutOverdue() {
        long next = Long.MAX_VALUE;
        long now = System.nanoTime();
        for (Link link : links) {
            link.cut(now);
            next = Math.min(next, link.left(now));
        }
        return next;
    }
}

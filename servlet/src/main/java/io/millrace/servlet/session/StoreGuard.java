package io.millrace.servlet.session;

import io.millrace.ServerContext;
import io.millrace.io.Timers;
import io.millrace.jfr.Recorder;
import io.millrace.servlet.session.StoreStatistics.Operation;
import io.millrace.servlet.session.StoreStatistics.Result;
import io.millrace.servlet.session.store.SessionRecord;
import io.millrace.servlet.session.store.SessionStore;
import io.millrace.text.Plural;
import java.io.IOException;
import java.security.AccessController;
import java.security.PrivilegedAction;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a session store that fails or hangs from taking the server with it. Each call has a deadline, after which its request
 * gives up; so many calls run at once that most workers serve requests without a session. A breaker decides whether the store is
 * asked at all:
 *
 * <pre>
 * closed  calls are made          5 failures within 10 s, without a success between them: opens
 * open    calls are refused       the store answers a probe, made each second: closes
 * </pre>
 *
 * <p>Requests wait for their turn only while the store makes progress. A session that could not be removed has a tombstone: it is
 * no session for this server, and is removed when the store answers. Thread-safe.
 */
final class StoreGuard implements SessionStore {

    /** With more of them, the breaker stays open until the store has removed some. */
    static final int MAX_TOMBSTONES = 100_000;

    private static final int MAX_FAILURES = 5;
    private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final Duration PROBE_PERIOD = Duration.ofSeconds(1);

    /** How often a waiting request looks whether the store still makes progress. */
    private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** A store that completes no call within this part of the timeout makes no progress. */
    private static final int STALLED_PART = 4;

    /** Calls that may have to look at all sessions take longer, by this factor; so may the wait for other requests of a session. */
    private static final int LONGER = 5;

    private static final int THREAD_IDLE_SECONDS = 10;
    private static final long LOG_PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** Of the characters of keys, for a store that asks for no others, but shorter than any that is generated. */
    private static final String PROBE = "millrace-probe";

    private final SessionStore store;
    private final String application;
    private final Timers timers;
    private final LongSupplier nanoTime;
    private final long timeoutNanos;
    private final int most;
    private final boolean limitsCalls;
    private final Semaphore permits;
    private final Semaphore scan = new Semaphore(1);
    private final ThreadPoolExecutor threads;
    private final AtomicInteger threadNumber = new AtomicInteger();
    private final Breaker breaker = new Breaker();
    private final Outage outage = new Outage();
    private final StoreStatistics statistics = new StoreStatistics();
    private final Map<String, KeyLock> locks = new ConcurrentHashMap<>();
    private final Set<String> tombstones = ConcurrentHashMap.newKeySet();

    /** Sessions with a write or a removal that was given up but may still happen, and the number of these calls. */
    private final Map<String, Integer> inDoubt = new ConcurrentHashMap<>();

    private final AtomicInteger probes = new AtomicInteger();
    private volatile long probeBegan;

    /** When a call completed, or the first of those that run now began. */
    private volatile long progress;

    // guarded by this
    private Timers.@Nullable Timer timer;
    private boolean closed;

    StoreGuard(SessionStore store, String application, SessionSettings settings, ServerContext server) {
        this(store, application, settings, server, System::nanoTime);
    }

    StoreGuard(
            SessionStore store,
            String application,
            SessionSettings settings,
            ServerContext server,
            LongSupplier nanoTime) {
        this(
                store,
                application,
                Duration.ofMillis(settings.get(SessionSettings.STORE_TIMEOUT)),
                settings.storeConcurrency(server.maxRunning()),
                server.timers(),
                nanoTime);
    }

    /**
     * Guards a store.
     *
     * @param application for log messages
     * @param timeout of a call
     * @param most how many calls there may be at a time
     */
    StoreGuard(
            SessionStore store, String application, Duration timeout, int most, Timers timers, LongSupplier nanoTime) {
        this.store = store;
        this.application = application;
        this.timers = timers;
        this.nanoTime = nanoTime;
        this.most = most;
        timeoutNanos = timeout.toNanos();
        permits = new Semaphore(most);
        limitsCalls = store.limitCalls(timeout);
        threads = new ThreadPoolExecutor(
                0, Integer.MAX_VALUE, THREAD_IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), this::thread);
    }

    /** The first call may be made by an application that must remain collectable: the thread inherits nothing of it. */
    @SuppressWarnings("removal") // AccessController: needed only before Java 24
    private Thread thread(Runnable task) {
        String name = "session-store" + application + "-" + threadNumber.incrementAndGet();
        Thread thread =
                AccessController.doPrivileged((PrivilegedAction<Thread>) () -> new Thread(null, task, name, 0, false));
        thread.setContextClassLoader(StoreGuard.class.getClassLoader());
        thread.setDaemon(true);
        return thread;
    }

    StoreStatistics statistics() {
        return statistics;
    }

    /** Whether calls are refused now. */
    boolean isOpen() {
        return breaker.isOpen();
    }

    /** Records a failure that no request sees. Logged at most once a minute. */
    void failed(IOException reason) {
        outage.add(0, reason);
    }

    /** Records that a request did not get its session, or lost its changes. Logged at most once a minute. */
    void requestFailed(IOException reason) {
        statistics.requestFailed();
        outage.add(1, reason);
    }

    // ---- what the store is asked

    @Override
    public @Nullable SessionRecord read(String key) throws IOException {
        return tombstones.contains(key) ? null : ask(Operation.READ, key, () -> store.read(key));
    }

    @Override
    public @Nullable SessionRecord readIfNewer(SessionRecord known) throws IOException {
        return tombstones.contains(known.key())
                ? null
                : ask(Operation.READ, known.key(), () -> store.readIfNewer(known));
    }

    @Override
    public Access access(String key, @Nullable SessionRecord known, long time) throws IOException {
        Access access =
                tombstones.contains(key) ? null : ask(Operation.READ, key, () -> store.access(key, known, time));
        return access == null ? new Access(null, false) : access;
    }

    @Override
    public boolean write(SessionRecord session) throws IOException {
        return !tombstones.contains(session.key())
                && Boolean.TRUE.equals(ask(Operation.WRITE, session.key(), () -> store.write(session)));
    }

    @Override
    public boolean write(SessionRecord session, SessionRecord base) throws IOException {
        return !tombstones.contains(session.key())
                && Boolean.TRUE.equals(ask(Operation.WRITE, session.key(), () -> store.write(session, base)));
    }

    @Override
    public boolean touch(String key, long lastAccessed) throws IOException {
        return !tombstones.contains(key)
                && Boolean.TRUE.equals(ask(Operation.TOUCH, key, () -> store.touch(key, lastAccessed)));
    }

    /** If it fails, the session has a tombstone before the exception is thrown. */
    @Override
    public boolean remove(String key) throws IOException {
        boolean answered = false;
        try {
            boolean removed = Boolean.TRUE.equals(ask(Operation.REMOVE, key, () -> store.remove(key)));
            answered = true;
            return removed;
        } finally {
            if (!answered) {
                bury(key);
            }
        }
    }

    /** Ends a session here at once, and in the store when it answers. */
    void bury(String key) {
        tombstones.add(key);
        if (tombstones.size() >= MAX_TOMBSTONES) {
            open();
        }
        arm();
    }

    /** Without those that this server ended before: their listeners have been notified. */
    @Override
    public List<SessionRecord> takeExpired(long now, int atMost) throws IOException {
        List<SessionRecord> taken = scan(() -> store.takeExpired(now, atMost));
        return taken.stream().filter(record -> !tombstones.remove(record.key())).toList();
    }

    @Override
    public int size() throws IOException {
        return scan(store::size);
    }

    @Override
    public List<String> keys(int atMost) throws IOException {
        return scan(() -> store.keys(atMost));
    }

    @Override
    public boolean isEmpty() throws IOException {
        return scan(store::isEmpty);
    }

    // ---- one request at a time

    /** A task that may call the store. */
    interface Call<T> {
        @Nullable
        T run() throws IOException;
    }

    /** A lock, and what those that wait for it must know. */
    private static final class KeyLock extends ReentrantLock {

        private static final long serialVersionUID = 1L;

        /** Threads that have the lock or wait for it. Guarded by the map's entry. */
        private int users;

        /** The store failed: those who waited meanwhile would only wait for the same failure, one after the other. */
        private volatile boolean failed;
    }

    /**
     * Runs a task while no other thread runs one for the same session.
     *
     * @throws IOException also if the store makes no progress meanwhile
     */
    <T> @Nullable T exclusively(String key, Call<T> task) throws IOException {
        KeyLock lock = locks.compute(key, (same, known) -> {
            KeyLock used = known == null ? new KeyLock() : known;
            used.users++;
            return used;
        });
        try {
            await(() -> lock.tryLock(SLICE_NANOS, TimeUnit.NANOSECONDS), LONGER * timeoutNanos);
            boolean done = false;
            try {
                if (lock.failed) {
                    throw new IOException("the store failed while other requests of the session waited for it");
                }
                T result = task.run();
                done = true;
                return result;
            } finally {
                lock.failed = !done;
                lock.unlock();
            }
        } finally {
            locks.computeIfPresent(key, (same, used) -> --used.users == 0 ? null : used);
        }
    }

    private interface Attempt {
        boolean succeeds() throws InterruptedException;
    }

    /** Repeats an attempt, which waits for a short time, while the store makes progress. */
    private void await(Attempt attempt, long nanos) throws IOException {
        long end = nanoTime.getAsLong() + nanos;
        try {
            while (!attempt.succeeds()) {
                if (breaker.isOpen() || isStalled() || nanoTime.getAsLong() - end > 0) {
                    throw new IOException("too many requests wait for the store, which is slow");
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for the store", e);
        }
    }

    /** Whether calls run, and none has completed for long. */
    private boolean isStalled() {
        return permits.availablePermits() < most && nanoTime.getAsLong() - progress > timeoutNanos / STALLED_PART;
    }

    // ---- a call

    private <T> @Nullable T ask(Operation operation, String key, Call<T> call) throws IOException {
        if (breaker.isOpen()) {
            throw new IOException("it is not asked now, as it failed repeatedly");
        }
        if (inDoubt.containsKey(key)) {
            throw new IOException("it has not yet answered an earlier call for the same session");
        }
        if (!permits.tryAcquire()) {
            await(() -> permits.tryAcquire(SLICE_NANOS, TimeUnit.NANOSECONDS), timeoutNanos);
        }
        long began = nanoTime.getAsLong();
        Recorder.Span recorded = Recorder.sessionStore();
        if (permits.availablePermits() == most - 1) {
            progress = began;
        }
        Result result = Result.FAILED;
        try {
            T answer =
                    limitsCalls ? runHere(call) : run(permits, mayChange(operation) ? key : null, call, timeoutNanos);
            result = operation == Operation.WRITE && Boolean.FALSE.equals(answer) ? Result.CONFLICT : Result.OK;
            breaker.succeeded();
            return answer;
        } finally {
            statistics.called(operation, result, nanoTime.getAsLong() - began);
            if (recorded != null) {
                recorded.end(application, operation.label(), result.label());
            }
            if (result == Result.FAILED && breaker.failed(nanoTime.getAsLong())) {
                open();
            }
        }
    }

    private static boolean mayChange(Operation operation) {
        return operation == Operation.WRITE || operation == Operation.REMOVE;
    }

    /** A call that may take long, since it may look at all sessions: one at a time, for which no request waits. */
    private <T> T scan(Call<T> call) throws IOException {
        if (breaker.isOpen() || !scan.tryAcquire()) {
            throw new IOException("it is not asked now, as it failed repeatedly or answers slowly");
        }
        T answer = run(scan, null, call, LONGER * timeoutNanos);
        if (answer == null) {
            throw new IOException("it answered nothing");
        }
        return answer;
    }

    /** Makes a call on this thread, which the store does not keep for long. */
    private <T> @Nullable T runHere(Call<T> call) throws IOException {
        try {
            return call.run();
        } catch (RuntimeException e) {
            throw new IOException(e.toString(), e);
        } finally {
            completed(permits);
        }
    }

    /**
     * Makes a call on a thread of its own, for which this one waits.
     *
     * @param permit released when the call has returned, which may be later than this method
     * @param changed the session that the call changes; null for none
     */
    private <T> @Nullable T run(Semaphore permit, @Nullable String changed, Call<T> call, long nanos)
            throws IOException {
        boolean started = false;
        try {
            GuardedCall<T> guarded = new GuardedCall<>(permit, changed, call);
            threads.execute(guarded);
            started = true;
            return guarded.await(nanos);
        } catch (RejectedExecutionException e) {
            throw new IOException("the application has stopped", e);
        } finally {
            if (!started) {
                completed(permit);
            }
        }
    }

    private void completed(Semaphore permit) {
        progress = nanoTime.getAsLong();
        permit.release();
    }

    /** A call on a thread of its own. */
    private final class GuardedCall<T> extends FutureTask<@Nullable T> {

        private final @Nullable String changed;

        // guarded by this
        private boolean returned;
        private boolean doubted;

        GuardedCall(Semaphore permit, @Nullable String changed, Call<T> call) {
            super(() -> {
                try {
                    return call.run();
                } finally {
                    completed(
                            permit); // not in done(), which is called when the waiting thread may have gone on already
                }
            });
            this.changed = changed;
        }

        @Override
        protected void done() {
            synchronized (this) {
                returned = true;
                if (doubted && changed != null) {
                    inDoubt.computeIfPresent(changed, (key, calls) -> calls == 1 ? null : calls - 1);
                }
            }
        }

        /** If it gives up, the session is in doubt until the call returns: until then the store may still change it. */
        @Nullable
        T await(long nanos) throws IOException {
            try {
                return get(nanos, TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                doubt();
                throw new IOException("no answer within " + TimeUnit.NANOSECONDS.toMillis(nanos) + " ms");
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted while waiting for the store", e);
            } catch (ExecutionException e) {
                throw failure(e.getCause());
            }
        }

        private synchronized void doubt() {
            if (!returned && changed != null) {
                doubted = true;
                inDoubt.merge(changed, 1, Integer::sum);
            }
        }
    }

    private static IOException failure(@Nullable Throwable cause) {
        if (cause instanceof Error error) {
            throw error;
        }
        return cause instanceof IOException io ? io : new IOException(String.valueOf(cause), cause);
    }

    // ---- recovery

    /** Asks whether the store answers, so that a server which is started without it is known not to be ready. */
    void begin() {
        threads.execute(() -> {
            try {
                store.read(PROBE);
            } catch (IOException | RuntimeException e) {
                outage.add(0, failure(e));
                open();
            }
        });
    }

    private void open() {
        breaker.open();
        statistics.open(true);
        arm();
    }

    /** Schedules the next probe, if there is something to find out. */
    private synchronized void arm() {
        if (timer == null && !closed && (breaker.isOpen() || !tombstones.isEmpty())) {
            timer = timers.schedule(this::due, PROBE_PERIOD);
        }
    }

    /** On the timer thread. A store that does not even answer a probe gets another one after a while. */
    private void due() {
        synchronized (this) {
            timer = null;
        }
        int running = probes.get();
        long age = nanoTime.getAsLong() - probeBegan;
        try {
            if (running == 0 || running < most && age > LONGER * LONGER * timeoutNanos) {
                threads.execute(this::probe);
            }
        } catch (RejectedExecutionException stopped) {
            return;
        } finally {
            arm();
        }
    }

    /** Asks the store whether it answers, and removes the sessions that have ended meanwhile. */
    void probe() {
        probes.incrementAndGet();
        probeBegan = nanoTime.getAsLong();
        try {
            if (tombstones.isEmpty()) {
                store.read(PROBE);
            }
            for (String key : List.copyOf(tombstones)) {
                store.remove(key);
                tombstones.remove(key);
                answers();
            }
            answers();
        } catch (IOException | RuntimeException e) {
            breaker.failed(nanoTime.getAsLong());
            outage.add(0, failure(e));
        } finally {
            probes.decrementAndGet();
            arm();
        }
    }

    private void answers() {
        if (breaker.isOpen() && tombstones.size() < MAX_TOMBSTONES) {
            breaker.close();
            statistics.open(false);
            outage.end();
        }
    }

    /**
     * Ends the calls of an application that stops; those that run are not waited for. Sessions that could not be removed are
     * tried once more.
     */
    void close() {
        synchronized (this) {
            closed = true;
            if (timer != null) {
                timer.cancel();
                timer = null;
            }
        }
        try {
            for (String key : breaker.isOpen() ? List.<String>of() : List.copyOf(tombstones)) {
                ask(Operation.REMOVE, key, () -> store.remove(key));
                tombstones.remove(key);
            }
        } catch (IOException e) {
            outage.add(0, e);
        }
        threads.shutdown();
        if (!tombstones.isEmpty()) {
            SessionLog.LOG.notRemovedAtStop(Plural.of(tombstones.size(), "session"), application, store.toString());
        }
    }

    @Override
    public String toString() {
        return store.toString();
    }

    /** Open after {@value #MAX_FAILURES} failures in a row: a session that the store refuses must not cost others theirs. */
    private static final class Breaker {

        private final long[] times = new long[MAX_FAILURES];
        private volatile boolean open;

        /** Failures since the last success. */
        private volatile int failures;

        boolean isOpen() {
            return open;
        }

        /** Whether the breaker has to be opened. */
        synchronized boolean failed(long now) {
            times[failures % MAX_FAILURES] = now;
            failures = failures + 1 == 2 * MAX_FAILURES ? MAX_FAILURES : failures + 1;
            return !open && failures >= MAX_FAILURES && now - times[failures % MAX_FAILURES] <= WINDOW_NANOS;
        }

        void succeeded() {
            if (failures != 0) {
                reset();
            }
        }

        private synchronized void reset() {
            failures = 0;
        }

        void open() {
            open = true;
        }

        void close() {
            reset();
            open = false;
        }
    }

    /** What the log says of an outage: a line a minute, and one at its end. */
    private final class Outage {

        // guarded by this
        private long requests;
        private long unreported;
        private long lastLine;
        private boolean reported;

        synchronized void add(int failedRequests, IOException reason) {
            long now = nanoTime.getAsLong();
            requests += failedRequests;
            unreported += failedRequests;
            if (!reported || now - lastLine >= LOG_PAUSE_NANOS) {
                reported = true;
                lastLine = now;
                SessionLog.LOG.storeFailed(
                        application,
                        store.toString(),
                        Plural.of(unreported, "request"),
                        String.valueOf(reason.getMessage()));
                SessionLog.LOG.debugf(reason, "the session store of %s failed", application);
                unreported = 0;
            }
        }

        synchronized void end() {
            if (requests > 0 || reported) {
                SessionLog.LOG.storeAnswers(application, store.toString(), Plural.of(requests, "request"));
            }
            requests = 0;
            unreported = 0;
        }
    }
}

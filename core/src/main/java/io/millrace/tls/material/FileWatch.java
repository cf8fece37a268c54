package io.millrace.tls.material;

import io.millrace.io.Timers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Checks files for changes every few seconds, which takes a few stat calls. The system's notifications would need a thread, do
 * not work across symbolic links and on network file systems, and report each write. The timer submits the check to an executor.
 */
final class FileWatch implements AutoCloseable {

    /** The time for which files must be unchanged before they are read. */
    private static final Duration SETTLE_TIME = Duration.ofSeconds(1);

    private static final Duration DAY = Duration.ofDays(1);

    private final List<ReloadingHost> hosts;
    private final Timers timers;
    private final Executor mayBlock;
    private final Duration interval;
    private long warned = System.nanoTime();
    private Timers.@Nullable Timer next;
    private boolean closed;

    FileWatch(List<ReloadingHost> hosts, Timers timers, Executor mayBlock, Duration interval) {
        this.hosts = hosts;
        this.timers = timers;
        this.mayBlock = mayBlock;
        this.interval = interval;
    }

    void begin() {
        schedule(interval);
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (next != null) {
            next.cancel();
        }
    }

    private synchronized void schedule(Duration delay) {
        if (!closed) {
            next = timers.schedule(this::handOver, delay);
        }
    }

    private void handOver() {
        boolean taken = false;
        try {
            mayBlock.execute(this::check);
            taken = true;
        } catch (RejectedExecutionException busy) {
            // skipped until the next interval
        } finally {
            if (!taken) {
                schedule(interval);
            }
        }
    }

    private void check() {
        boolean changing = false;
        try {
            for (ReloadingHost host : hosts) {
                changing |= host.check();
            }
            if (System.nanoTime() - warned > DAY.toNanos()) {
                warned = System.nanoTime();
                hosts.forEach(ReloadingHost::warnOfExpiry);
            }
        } finally {
            schedule(changing && SETTLE_TIME.compareTo(interval) < 0 ? SETTLE_TIME : interval);
        }
    }
}

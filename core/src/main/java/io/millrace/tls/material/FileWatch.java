package io.millrace.tls.material;

import io.millrace.io.Timers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Looks at files every few seconds: half a dozen calls of stat. The system's own notification would need a thread, misses
 * what happens behind symbolic links and on network drives, and tells of every byte written. The timer only hands over.
 */
final class FileWatch implements AutoCloseable {

    /** How long files must rest before they are read. */
    private static final Duration REST = Duration.ofSeconds(1);

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
            mayBlock.execute(this::look);
            taken = true;
        } catch (RejectedExecutionException busy) {
            // the next look will do
        } finally {
            if (!taken) {
                schedule(interval);
            }
        }
    }

    private void look() {
        boolean changing = false;
        try {
            for (ReloadingHost host : hosts) {
                changing |= host.look();
            }
            if (System.nanoTime() - warned > DAY.toNanos()) {
                warned = System.nanoTime();
                hosts.forEach(ReloadingHost::warnOfExpiry);
            }
        } finally {
            schedule(changing && REST.compareTo(interval) < 0 ? REST : interval);
        }
    }
}

package io.millrace.exchange;

import io.millrace.io.Blocker;
import io.millrace.io.BufferPool;
import io.millrace.io.Channel;
import io.millrace.io.ConnectionInfo;
import io.millrace.io.LoopRole;
import io.millrace.io.Timers;
import io.millrace.protocol.PushStream;
import io.millrace.workers.Workers;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * What an exchange uses of its connection and its connector.
 *
 * @param connection the channel, with the client's addresses as {@linkplain HttpExchange#present presented}
 * @param workers the worker threads of this exchange's connector
 * @param tasks runs on these workers what the application starts besides its handlers, and which may block: no more at the
 *     same time than the client's share of the workers allows
 * @param timers for timeouts; their tasks must not block
 * @param outputLimit how many bytes of the response may be buffered for a slow client before the writing thread blocks
 * @param push pushes other responses to the client; null if the protocol has no server push, or the request was {@linkplain
 *     HttpExchange#present presented} as one of another client or to another host: the pushed request would be one of the front end
 * @param inline counts what runs on the connection's event loop because it is expected to be short; null if nothing may
 */
public record ExchangeChannel(
        Channel connection,
        Workers workers,
        Executor tasks,
        Timers timers,
        int outputLimit,
        @Nullable PushStream push,
        @Nullable InlineRuns inline) {

    /** Addresses, TLS session, and what a front end reported. */
    public ConnectionInfo info() {
        return connection.info();
    }

    /** The buffer pool for bodies. */
    public BufferPool buffers() {
        return connection.buffers();
    }

    /**
     * Whether the operating system sends a {@link io.millrace.io.Payload.FileRegion} without copying it through this
     * process. Sending a file is then cheaper than sending the same bytes from memory, from some tens of kilobytes on;
     * otherwise it is more expensive.
     */
    public boolean sendsFiles() {
        return connection.sendsFiles();
    }

    /**
     * Runs a task on a worker; the connection's I/O thread {@linkplain Blocker#handedOver yields its processor to it}.
     *
     * @throws RejectedExecutionException if no worker accepts it; it then never runs
     */
    public void handOver(Runnable task) {
        connection.blocker().handedOver();
        workers.execute(task);
    }

    /**
     * The same within the client's share of the workers, for a task that runs code of the application.
     *
     * @throws RejectedExecutionException if no worker accepts it; it then never runs
     */
    public void handOverToShare(Runnable task) {
        connection.blocker().handedOver();
        tasks.execute(task);
    }

    /**
     * The same for a task that may run on the connection's event loop if it is expected to be short. It does so after the caller has
     * returned to the loop: while it runs, another thread may poll and read the connection's next input.
     *
     * @param route of the task
     * @throws RejectedExecutionException if no worker accepts it; it then never runs
     */
    public void handOverToShare(RoutePrediction route, LoopTask task) {
        InlineRuns runs = inline;
        LoopRole role = connection.blocker().role();
        Executor turns = connection.blocker().turns();
        if (runs == null || role == null || turns == null) {
            handOverToShare(task);
        } else if (route.isShort(System.nanoTime()) && role.isHeldHere()) {
            turns.execute(() -> {
                if (!runInline(runs, route, role, task)) {
                    task.refused();
                }
            });
        } else if (route.isUnknown()) {
            handOverToShare(() -> runMeasured(MeasuredRun.onWorker(runs, route, workers), task));
        } else {
            handOverToShare(task);
        }
    }

    /** A task that a worker may run, or an event loop. */
    public interface LoopTask extends Runnable {

        /** Called on the event loop in place of {@link #run} if that cannot be there, although it is expected to be short. */
        void refused();
    }

    private boolean runInline(InlineRuns runs, RoutePrediction route, LoopRole role, Runnable task) {
        MeasuredRun run = MeasuredRun.inline(runs, route, workers, role, System.nanoTime());
        if (run == null) {
            return false;
        }
        runMeasured(run, task);
        return true;
    }

    private static void runMeasured(MeasuredRun run, Runnable task) {
        try {
            task.run();
        } finally {
            run.end();
        }
    }

    /** How a thread that may block waits for the client; the worker pool may start another thread meanwhile. */
    public Blocker blocker() {
        return new WorkerBlocker(workers, connection.blocker());
    }
}

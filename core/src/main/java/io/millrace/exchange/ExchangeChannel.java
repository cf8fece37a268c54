package io.millrace.exchange;

import io.millrace.io.Blocker;
import io.millrace.io.BufferPool;
import io.millrace.io.Channel;
import io.millrace.io.ConnectionInfo;
import io.millrace.io.Timers;
import io.millrace.workers.Workers;
import java.util.concurrent.RejectedExecutionException;

/**
 * What an exchange uses of its connection and its connector.
 *
 * @param connection with the addresses of the client, as they were {@linkplain HttpExchange#present presented}
 * @param workers run what may block for this exchange
 * @param timers run what is due later; such a task must not block
 * @param outputLimit bytes that the response may hold in memory while the client reads slowly, before its writer waits
 */
public record ExchangeChannel(Channel connection, Workers workers, Timers timers, int outputLimit) {

    /** Addresses, TLS session, front end. */
    public ConnectionInfo info() {
        return connection.info();
    }

    /** Leases buffers for bodies. */
    public BufferPool buffers() {
        return connection.buffers();
    }

    /**
     * True if the operating system sends a {@link io.millrace.io.Payload.FileRegion} without this process copying it. Then it
     * costs less than the same bytes in memory, from some tens of kilobytes on; otherwise more.
     */
    public boolean sendsFiles() {
        return connection.sendsFiles();
    }

    /**
     * Has a worker run a task; the connection's thread {@linkplain Blocker#handedOver makes way for it}.
     *
     * @throws RejectedExecutionException if none takes it now; it never runs then
     */
    public void handOver(Runnable task) {
        connection.blocker().handedOver();
        workers.execute(task);
    }

    /** Waits for the client, on a thread that may block; the workers may replace the waiting thread meanwhile. */
    public Blocker blocker() {
        return new WorkerBlocker(workers, connection.blocker());
    }
}

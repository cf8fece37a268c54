package io.millrace.exchange;

import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Sends what an {@link ExchangeOutputStream} has collected: one batch at a time, the next when that has ended.
 *
 * <p><b>Threads.</b> The pump is its own lock, and the stream's. Batches begin on the writer's thread; if the socket is
 * full, they end on the connection's thread, which then begins the next for a few rounds and leaves the rest to a worker,
 * so that one fast client does not occupy it. No lock is held while anything is sent or told.
 */
final class OutputPump {

    /** Collected before a batch begins, once the response is committed: what {@link OutputQueue} sends at once. */
    private static final int GATHER = 48 * 1024;

    /** Batches that a connection's thread begins in a row for one response. */
    private static final int ROUNDS = 16;

    /** What the response is good for. */
    private enum Phase {
        OPEN,
        /** No more writing; the rest, and the end, are still to be sent. */
        CLOSED,
        /** The end was sent, or never will be. */
        OVER
    }

    private final Exchange exchange;
    private final Executor workers;
    private final ExchangeOutputStream stream;

    // all below: guarded by this
    private final OutputQueue queue = new OutputQueue();
    private Phase phase = Phase.OPEN;
    private int commitSize;
    private boolean flushing;
    private boolean pressed;
    private @Nullable Batch underWay;
    private @Nullable ClientClosedException failure;

    OutputPump(Exchange exchange, Executor workers, ExchangeOutputStream stream, int commitSize) {
        this.exchange = exchange;
        this.workers = workers;
        this.stream = stream;
        this.commitSize = commitSize;
    }

    // with the lock held

    OutputQueue queue() {
        return queue;
    }

    /** Collected before the response is committed of itself. */
    int commitSize() {
        return commitSize;
    }

    void commitSize(int bytes) {
        commitSize = bytes;
    }

    /** Sends what there is, however little, as long as the stream can collect no more. */
    void press(boolean on) {
        pressed = on;
    }

    /** Gets all that is queued under way. */
    void flush() {
        flushing = !queue.isEmpty() || !exchange.isCommitted();
    }

    /** Nothing will be added: the end follows the rest. */
    void close() {
        phase = Phase.CLOSED;
    }

    /** Nothing will be added or sent. Returns what was queued, for the caller to tell. */
    List<Piece> stop() {
        phase = Phase.OVER;
        return queue.clear();
    }

    boolean isOpen() {
        return phase == Phase.OPEN;
    }

    boolean isOver() {
        return phase == Phase.OVER;
    }

    /** True while a batch is on its way. */
    boolean isSending() {
        return underWay != null;
    }

    @Nullable
    ClientClosedException failure() {
        return failure;
    }

    /** Bytes queued and on their way. */
    int unsent() {
        Batch batch = underWay;
        return queue.weight() + (batch == null ? 0 : batch.weight);
    }

    boolean isStartable() {
        if (underWay != null || phase == Phase.OVER) {
            return false;
        }
        if (phase == Phase.CLOSED || flushing) {
            return true;
        }
        int weight = queue.weight();
        int threshold = exchange.isCommitted() ? GATHER : commitSize;
        return weight > 0 && (weight >= threshold || pressed);
    }

    private Batch next() {
        List<Piece> pieces = queue.take();
        boolean emptied = queue.isEmpty();
        boolean last = phase == Phase.CLOSED && emptied;
        if (last) {
            phase = Phase.OVER;
        }
        if (emptied) {
            flushing = false;
        }
        return new Batch(this, pieces, last);
    }

    // without the lock

    /** Begins batches as long as there is something to send and the last one ended at once. By the writer. */
    void run() {
        run(Integer.MAX_VALUE);
    }

    private void run(int rounds) {
        for (int i = 0; i < rounds; i++) {
            Batch batch;
            synchronized (this) {
                if (!isStartable()) {
                    return;
                }
                batch = next();
                underWay = batch;
            }
            send(batch);
            if (batch.last) {
                return;
            }
            synchronized (this) {
                if (batch.progress == Batch.Progress.STARTING) {
                    batch.progress = Batch.Progress.PENDING;
                    return;
                }
            }
        }
        handOver();
    }

    private void send(Batch batch) {
        try {
            exchange.output().write(batch.payload(), batch.last, batch);
        } catch (RuntimeException | Error refused) {
            batch.done(refused);
            throw refused;
        }
    }

    /**
     * Others wait for this thread: a worker goes on. But what is left of a response that nobody writes any more is no more
     * than the outputLimit, and is sent from here: all workers may be busy for long.
     */
    private void handOver() {
        boolean written;
        synchronized (this) {
            if (!isStartable()) {
                return;
            }
            written = phase == Phase.CLOSED;
        }
        if (written) {
            run();
            return;
        }
        try {
            workers.execute(this::run);
        } catch (RejectedExecutionException | OutOfMemoryError nobody) {
            run();
        }
    }

    /** A batch was sent, or was not. On the thread that found out; from within {@link #run} if that was quick. */
    void sent(Batch batch, @Nullable Throwable thrown) {
        List<Piece> dropped = List.of();
        boolean goOn;
        synchronized (this) {
            underWay = null;
            if (thrown != null && failure == null) {
                failure = thrown instanceof ClientClosedException gone ? gone : new ClientClosedException(thrown);
                dropped = stop();
            }
            goOn = batch.progress == Batch.Progress.PENDING;
            batch.progress = Batch.Progress.ENDED;
        }
        try {
            Batch.tell(dropped, thrown);
        } finally {
            stream.wakeWriter();
        }
        try {
            if (goOn) {
                run(ROUNDS);
            }
        } finally {
            stream.tellWritable();
        }
    }
}

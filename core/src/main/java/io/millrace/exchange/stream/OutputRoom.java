package io.millrace.exchange.stream;

import java.io.InterruptedIOException;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * Back-pressure of an {@link ExchangeOutputStream}: who is notified when its {@link OutputQueue} has room again. That is a blocked
 * writer, or a callback once the stream is non-blocking. Guarded by the stream's lock; latches are opened and callbacks run
 * without it.
 */
final class OutputRoom {

    private final OutputQueue queue;

    /** Opened when there is room again; null if no writer is blocked. */
    private @Nullable CountDownLatch latch;

    /** Non-null: no writer blocks, this is called instead. */
    private @Nullable Runnable onWritable;

    private boolean callbackOwed;

    OutputRoom(OutputQueue queue) {
        this.queue = queue;
    }

    /** May a writer be blocked? */
    boolean isBlocking() {
        return onWritable == null;
    }

    /** Blocks no writer from now on. */
    void onWritable(Runnable callback) {
        onWritable = callback;
    }

    /** May more be written? If not, the callback is owed. */
    boolean isReady() {
        boolean ready = queue.hasCalmed();
        callbackOwed = !ready;
        return ready;
    }

    /** The callback if it is owed and there is room; then it is owed no longer. */
    @Nullable
    Runnable takeCallback() {
        if (!callbackOwed || !queue.hasCalmed()) {
            return null;
        }
        callbackOwed = false;
        return onWritable;
    }

    /** The latch for a writer that has to block; null if nothing is being sent, so that it may try again. */
    @Nullable
    CountDownLatch block() {
        if (!queue.isSending()) {
            return null;
        }
        CountDownLatch mine = latch;
        if (mine == null) {
            mine = new CountDownLatch(1);
            latch = mine;
        }
        queue.press();
        return mine;
    }

    /** The latch of a blocked writer if there is room for it now; the caller opens it. */
    @Nullable
    CountDownLatch takeLatch() {
        CountDownLatch opened = latch;
        if (opened == null || !queue.makesRoom()) {
            return null;
        }
        latch = null;
        return opened;
    }

    /** Blocks until the latch is opened. Without the lock. */
    static void await(CountDownLatch latch) throws InterruptedIOException {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw (InterruptedIOException)
                    new InterruptedIOException("interrupted while waiting for a slow client to receive the response")
                            .initCause(interrupted);
        }
    }
}

package io.millrace.servlet.request;

import io.millrace.exchange.stream.ExchangeInputStream;
import javax.servlet.ReadListener;
import org.jspecify.annotations.Nullable;

/** Calls a ReadListener when data is available, and once when all data is read (Servlet 3.1, 3.7). */
final class ReadEvents implements IoEvents {

    private final ExchangeInputStream in;
    private final ReadListener listener;
    private final IoListeners listeners;
    private volatile boolean due = true;
    private volatile boolean over;

    ReadEvents(ExchangeInputStream in, ReadListener listener, IoListeners listeners) {
        this.in = in;
        this.listener = listener;
        this.listeners = listeners;
        in.onReadable(this::signal);
        listeners.read(this);
        listeners.signal();
    }

    /** Signals that data is available, or that the application has read the end. Thread-safe. */
    void signal() {
        due = true;
        listeners.signal();
    }

    /**
     * True if a read will neither block nor return the end. At the end it is false, which ends loops that test nothing else, and
     * schedules onAllDataRead if that was not called. Thread-safe.
     */
    boolean isReady() {
        boolean ready = in.isReady();
        if (!in.isFinished()) {
            return ready;
        }
        if (!over) {
            signal();
        }
        return false;
    }

    @Override
    public boolean isDue() {
        return due && !over;
    }

    @Override
    public void call() throws Throwable {
        due = false;
        if (in.isReady() && !in.isFinished()) {
            listener.onDataAvailable();
        }
        if (in.isFinished() && !over) {
            over = true;
            listener.onAllDataRead();
        }
    }

    /** The listener's next read throws the failure. */
    @Override
    public @Nullable Throwable failure() {
        return null;
    }

    @Override
    public void fail(Throwable cause) {
        if (!over) {
            over = true;
            listener.onError(cause);
        }
    }
}

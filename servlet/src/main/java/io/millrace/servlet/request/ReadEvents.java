package io.millrace.servlet.request;

import io.millrace.exchange.stream.ExchangeInputStream;
import javax.servlet.ReadListener;
import org.jspecify.annotations.Nullable;

/** Tells a ReadListener that it may read, and once that all is read (Servlet 3.1, 3.7). */
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

    /** There is something to read, or the end was read while nobody of the container looked. Any thread. */
    void signal() {
        due = true;
        listeners.signal();
    }

    /**
     * True if a read will not wait and will not find the end. At the end it is false, and the listener is told that all is
     * read, if that was not done: so it ends loops that look at nothing else. Any thread.
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

    /** What failed the next read throws; the listener will make it. */
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

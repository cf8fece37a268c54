package io.millrace.servlet.request;

import io.millrace.exchange.stream.ExchangeInputStream;
import java.io.IOException;
import java.util.Objects;
import java.util.function.Function;
import javax.servlet.ReadListener;
import javax.servlet.ServletInputStream;
import org.jspecify.annotations.Nullable;

/** The input stream of a request's body, or of an upgraded connection. */
public final class ServletInput extends ServletInputStream {

    private final ExchangeInputStream in;
    private final Function<String, IoListeners> listeners;
    private volatile @Nullable ReadEvents events;

    /**
     * The stream of one request or connection.
     *
     * @param listeners returns where the ReadListener registers, given the calling method; throws if none may be set now
     */
    public ServletInput(ExchangeInputStream in, Function<String, IoListeners> listeners) {
        this.in = in;
        this.listeners = listeners;
    }

    @Override
    public int read() throws IOException {
        return in.read();
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        return in.read(bytes, offset, length);
    }

    @Override
    public int available() throws IOException {
        return in.available();
    }

    @Override
    public boolean isFinished() {
        return in.isFinished();
    }

    @Override
    public boolean isReady() {
        ReadEvents known = events;
        return known == null ? in.isReady() : known.isReady();
    }

    @Override
    public void setReadListener(ReadListener listener) {
        if (events != null) {
            throw new IllegalStateException("a ReadListener was set already");
        }
        Objects.requireNonNull(listener);
        events = new ReadEvents(in, listener, listeners.apply("setReadListener"));
    }

    /** Calls a ReadListener when data is available, and once when all data is read (Servlet 3.1, 3.7). */
    private static final class ReadEvents implements IoEvents {

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
         * Whether a read will neither block nor return the end. At the end it is false, which ends loops that test nothing else, and
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
}

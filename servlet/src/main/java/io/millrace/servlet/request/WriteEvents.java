package io.millrace.servlet.request;

import io.millrace.exchange.stream.ExchangeOutputStream;
import javax.servlet.WriteListener;
import org.jspecify.annotations.Nullable;

/** Calls a WriteListener when writing is possible (Servlet 3.1, 5.3). */
final class WriteEvents implements IoEvents {

    private final ExchangeOutputStream out;
    private final WriteListener listener;
    private volatile boolean due = true;
    private volatile boolean over;

    WriteEvents(ExchangeOutputStream out, WriteListener listener, IoListeners listeners) {
        this.out = out;
        this.listener = listener;
        out.onWritable(() -> {
            due = true;
            listeners.signal();
        });
        listeners.write(this);
        listeners.signal();
    }

    @Override
    public boolean isDue() {
        return due && !over;
    }

    @Override
    public void call() throws Throwable {
        due = false;
        if (out.isReady()) {
            listener.onWritePossible();
        }
    }

    @Override
    public @Nullable Throwable failure() {
        return over ? null : out.failure();
    }

    @Override
    public void fail(Throwable cause) {
        if (!over) {
            over = true;
            listener.onError(cause);
        }
    }
}

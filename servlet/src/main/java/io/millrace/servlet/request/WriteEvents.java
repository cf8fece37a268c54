package io.millrace.servlet.request;

import io.millrace.exchange.ExchangeOutputStream;
import javax.servlet.WriteListener;

/**
 * Tells a WriteListener that it may write. A failed write is told to it first, then, if it neither completes nor dispatches,
 * to the AsyncListeners; then the response is given up.
 */
final class WriteEvents {

    private final AsyncCycle cycle;
    private final ExchangeOutputStream out;
    private final WriteListener listener;

    WriteEvents(HttpServletRequestImpl request, ExchangeOutputStream out, WriteListener listener) {
        this.cycle = AsyncCycle.current(request, "setWriteListener");
        this.out = out;
        this.listener = listener;
        out.onWritable(() -> cycle.events().add(this::possible));
        cycle.events().add(this::first);
    }

    private void first() {
        if (out.isReady()) {
            possible();
        }
    }

    private void possible() {
        cycle.call(
                () -> {
                    Throwable failure = out.failure();
                    if (failure != null) {
                        throw failure;
                    }
                    listener.onWritePossible();
                },
                listener::onError);
    }
}

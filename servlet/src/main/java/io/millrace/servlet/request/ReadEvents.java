package io.millrace.servlet.request;

import io.millrace.exchange.ExchangeInputStream;
import javax.servlet.ReadListener;

/** Tells a ReadListener that it may read, and once that all is read. */
final class ReadEvents {

    private final AsyncCycle cycle;
    private final ExchangeInputStream in;
    private final ReadListener listener;
    private boolean told;

    ReadEvents(HttpServletRequestImpl request, ExchangeInputStream in, ReadListener listener) {
        this.cycle = AsyncCycle.current(request, "setReadListener");
        this.in = in;
        this.listener = listener;
        in.onReadable(() -> cycle.events().add(this::available));
        cycle.events().add(this::first);
    }

    private void first() {
        if (in.isReady()) {
            available();
        }
    }

    private void available() {
        cycle.call(
                () -> {
                    if (!in.isFinished()) {
                        listener.onDataAvailable();
                    }
                    if (in.isFinished() && !told) {
                        told = true;
                        listener.onAllDataRead();
                    }
                },
                listener::onError);
    }
}

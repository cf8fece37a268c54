package io.millrace.servlet.dispatch;

import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.servlet.AsyncEvent;
import javax.servlet.AsyncListener;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import org.jspecify.annotations.Nullable;

/** The AsyncListeners of one cycle, notified in order of registration. Added on any thread, notified by the exchange's owner. */
final class AsyncListeners {

    private final AsyncCycle cycle;
    private final List<Registered> registered = new CopyOnWriteArrayList<>();

    AsyncListeners(AsyncCycle cycle) {
        this.cycle = cycle;
    }

    void add(AsyncListener listener, ServletRequest with, ServletResponse to) {
        registered.add(new Registered(Objects.requireNonNull(listener), with, to));
    }

    /** Notifies all; an exception of a listener is logged. */
    void tell(Telling event, @Nullable Throwable thrown) {
        tell(event, cycle, thrown);
    }

    /** Notifies of the start of another cycle, to which listeners must be added again (Servlet 3.1, 2.3.3.3). */
    void tellRestarted(AsyncCycle next) {
        tell(AsyncListener::onStartAsync, next, null);
        registered.clear();
    }

    private void tell(Telling event, AsyncCycle about, @Nullable Throwable thrown) {
        for (Registered one : registered) {
            try {
                event.tell(one.listener, new AsyncEvent(about, one.request, one.response, thrown));
            } catch (IOException | RuntimeException | Error e) {
                DispatchMessages.LOG.listenerFailed(
                        one.listener.getClass().getName(), cycle.app().displayPath(), e);
            }
        }
    }

    interface Telling {
        void tell(AsyncListener listener, AsyncEvent event) throws IOException;
    }

    /** A listener, and the request and response of its events. */
    private record Registered(AsyncListener listener, ServletRequest request, ServletResponse response) {}
}

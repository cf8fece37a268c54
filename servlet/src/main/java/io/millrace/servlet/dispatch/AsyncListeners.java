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

/** The AsyncListeners of one cycle, notified in the order of their addition. Added by any thread, notified by the owner. */
final class AsyncListeners {

    private final AsyncCycle cycle;
    private final List<Registered> registered = new CopyOnWriteArrayList<>();

    AsyncListeners(AsyncCycle cycle) {
        this.cycle = cycle;
    }

    void add(AsyncListener listener, ServletRequest with, ServletResponse to) {
        registered.add(new Registered(Objects.requireNonNull(listener), with, to));
    }

    /** A listener that throws must not keep the others from being notified. */
    void tell(Telling event, @Nullable Throwable thrown) {
        tell(event, cycle, thrown);
    }

    /** Another cycle begins: listeners have to be added to it again (Servlet 3.1, 2.3.3.3). */
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

    /** A listener and the events it is notified of. */
    private record Registered(AsyncListener listener, ServletRequest request, ServletResponse response) {}
}

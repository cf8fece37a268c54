package io.millrace.servlet.request;

import io.millrace.exchange.ClientClosedException;
import io.millrace.servlet.security.RunAs;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The ReadListener and the WriteListener of one request, or of an upgraded connection. Only the exchange's owner calls them:
 * never both at once, and never while the container runs other code of the application.
 *
 * <p>What a listener throws goes to its own {@code onError}; the loss of the connection goes to both, the WriteListener first.
 * After {@code onError} a listener is not called again.
 */
public final class IoListeners {

    private final Runnable wake;
    private volatile @Nullable Place reading;
    private volatile @Nullable Place writing;

    /** @param role the run-as role of the servlet that set the listener, in which it is called; null for none */
    private record Place(IoEvents events, @Nullable String role) {

        static Place of(IoEvents events) {
            return new Place(events, RunAs.role());
        }
    }

    /**
     * The listeners of one request or connection; none is set yet.
     *
     * @param wake called when a listener is due; must not block, and must make the owner call {@link #call}
     */
    public IoListeners(Runnable wake) {
        this.wake = wake;
    }

    void read(IoEvents events) {
        reading = Place.of(events);
    }

    void write(IoEvents events) {
        writing = Place.of(events);
    }

    /** Notifies the owner that a listener is due. Thread-safe. */
    void signal() {
        wake.run();
    }

    /** Whether a listener is due. Thread-safe. */
    public boolean isPending() {
        return isDue(reading) || isDue(writing);
    }

    private static boolean isDue(@Nullable Place place) {
        return place != null && place.events.isDue();
    }

    /**
     * Calls the listeners that are due.
     *
     * @param goOn false once the application has completed or dispatched: then no listener is called
     * @return the failure, after onError; null without one, or if the listener then completed or dispatched
     */
    public @Nullable Throwable call(BooleanSupplier goOn) {
        Throwable failure = call(reading, goOn);
        return failure != null ? failure : call(writing, goOn);
    }

    private @Nullable Throwable call(@Nullable Place place, BooleanSupplier goOn) {
        if (place == null || !place.events.isDue() || !goOn.getAsBoolean()) {
            return null;
        }
        String before = RunAs.enter(place.role);
        try {
            return call(place.events, goOn);
        } finally {
            RunAs.leave(before);
        }
    }

    private @Nullable Throwable call(IoEvents events, BooleanSupplier goOn) {
        Throwable failure = events.failure();
        if (failure == null) {
            failure = failureOf(events);
        }
        if (failure == null && goOn.getAsBoolean()) {
            failure = events.failure(); // the application may have caught it
        }
        if (failure instanceof ClientClosedException) {
            lose(failure);
        } else if (failure != null) {
            events.fail(failure);
        }
        return goOn.getAsBoolean() ? failure : null;
    }

    private static @Nullable Throwable failureOf(IoEvents events) {
        try {
            events.call();
            return null;
        } catch (Throwable thrown) {
            return thrown;
        }
    }

    /** Reports the loss of the connection to both listeners. */
    public void lose(Throwable cause) {
        tell(writing, cause);
        tell(reading, cause);
    }

    private static void tell(@Nullable Place place, Throwable cause) {
        if (place != null) {
            String before = RunAs.enter(place.role);
            try {
                place.events.fail(cause);
            } finally {
                RunAs.leave(before);
            }
        }
    }
}

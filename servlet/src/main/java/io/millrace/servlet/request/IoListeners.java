package io.millrace.servlet.request;

import io.millrace.exchange.ClientClosedException;
import io.millrace.servlet.security.RunAs;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The ReadListener and the WriteListener of one request, or of an upgraded connection. They are called by the owner of the
 * exchange only, so never both at once, and never while anything else of the container is in the application.
 *
 * <p>A failure is told like this: what a listener throws goes to its own {@code onError}; that the connection is lost goes
 * to both, the writing one first. Each hears of one failure, once, and is not called any more.
 */
public final class IoListeners {

    private final Runnable wake;
    private volatile @Nullable Place reading;
    private volatile @Nullable Place writing;

    /** @param role of the servlet that set the listener, which acts in it as well; null for its caller's own */
    private record Place(IoEvents events, @Nullable String role) {

        static Place of(IoEvents events) {
            return new Place(events, RunAs.role());
        }
    }

    /**
     * For one request.
     *
     * @param wake called when a listener is due: must not block, and make the owner come to {@link #call}
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

    /** A listener has become due. Any thread. */
    void signal() {
        wake.run();
    }

    /** Is a listener due? Any thread. */
    public boolean isPending() {
        return isDue(reading) || isDue(writing);
    }

    private static boolean isDue(@Nullable Place place) {
        return place != null && place.events.isDue();
    }

    /**
     * Calls who is due.
     *
     * @param goOn false once the application has decided what comes next: then no listener is called
     * @return what failed, after the listener was told; null if all went well, or if the listener then decided what comes
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
            failure = events.failure(); // the application may have kept it to itself
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

    /** The connection is lost. */
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

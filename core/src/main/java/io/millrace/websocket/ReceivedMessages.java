package io.millrace.websocket;

import java.util.Objects;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * The messages of a connection, as they are asked for: it is paused while nobody asks.
 *
 * <pre>
 * state        subscribe     onSubscribe has returned    end            the end was signalled, or cancel
 * NEW          SUBSCRIBING   –                           NEW            –
 * SUBSCRIBING  refused       ACTIVE                      SUBSCRIBING    OVER
 * ACTIVE       refused       –                           OVER           OVER
 * OVER         refused       –                           OVER           OVER
 * </pre>
 *
 * <p><b>Threads.</b> {@link #next}, {@link #fail} and {@link #close} are calls of the listener, one after the other. What ends before the subscriber has
 * its subscription is signalled by the thread that subscribes.
 */
final class ReceivedMessages implements Flow.Publisher<WebSocketMessage>, Flow.Subscription {

    private enum State {
        NEW,
        SUBSCRIBING,
        ACTIVE,
        OVER
    }

    private final WebSocketConnection connection;

    // guarded by this
    private State state = State.NEW;
    private Flow.@Nullable Subscriber<? super WebSocketMessage> subscriber;
    private long demand;
    private boolean ended;
    private @Nullable Throwable failure;

    ReceivedMessages(WebSocketConnection connection) {
        this.connection = connection;
    }

    @Override
    public void subscribe(Flow.Subscriber<? super WebSocketMessage> asking) {
        Objects.requireNonNull(asking);
        boolean first;
        synchronized (this) {
            first = state == State.NEW;
            if (first) {
                state = State.SUBSCRIBING;
                subscriber = asking;
            }
        }
        if (!first) {
            asking.onSubscribe(new Refused());
            asking.onError(
                    new IllegalStateException("the messages of a connection have one subscriber, and had it already"));
            return;
        }
        asking.onSubscribe(this);
        boolean over;
        synchronized (this) {
            if (state == State.SUBSCRIBING) {
                state = State.ACTIVE;
            }
            over = ended;
        }
        if (over) {
            signalEnd();
        } else {
            resumeIfAsked();
        }
    }

    /** Nothing will come. */
    private static final class Refused implements Flow.Subscription {
        @Override
        public void request(long count) {}

        @Override
        public void cancel() {}
    }

    @Override
    public void request(long count) {
        if (count <= 0) {
            connection.abort(new IllegalArgumentException(
                    "request(" + count + "): at least 1 must be asked for (Reactive Streams, 3.9)"));
            return;
        }
        synchronized (this) {
            demand = demand + count < 0 ? Long.MAX_VALUE : demand + count;
        }
        resumeIfAsked();
    }

    private void resumeIfAsked() {
        boolean wanted;
        synchronized (this) {
            wanted = state == State.OVER || state == State.ACTIVE && demand > 0;
        }
        if (wanted) {
            connection.resume();
        }
    }

    /** What comes after it is read, for the close frame behind it, and dropped. */
    @Override
    public void cancel() {
        synchronized (this) {
            state = State.OVER;
            subscriber = null;
        }
        connection.resume();
    }

    /** A message; it was asked for. */
    void next(WebSocketMessage message) {
        Flow.Subscriber<? super WebSocketMessage> receiving;
        synchronized (this) {
            receiving = subscriber;
        }
        if (receiving == null) {
            return;
        }
        receiving.onNext(message);
        boolean last;
        synchronized (this) {
            demand -= demand == Long.MAX_VALUE ? 0 : 1;
            last = demand == 0 && state == State.ACTIVE;
        }
        if (last) {
            connection.pause();
            resumeIfAsked(); // somebody may have asked meanwhile
        }
    }

    void fail(Throwable thrown) {
        end(thrown);
    }

    void close(CloseStatus status) {
        int code = status.code();
        boolean orderly = code == CloseStatus.NORMAL.code()
                || code == CloseStatus.GOING_AWAY.code()
                || code == CloseStatus.NO_CODE.code();
        end(
                orderly
                        ? null
                        : new WebSocketException(
                                code, "the connection was closed with " + code + " " + status.reason()));
    }

    private void end(@Nullable Throwable thrown) {
        boolean known;
        synchronized (this) {
            if (ended) {
                return;
            }
            ended = true;
            failure = thrown;
            known = state == State.ACTIVE;
        }
        if (known) {
            signalEnd();
        }
    }

    private void signalEnd() {
        Flow.Subscriber<? super WebSocketMessage> told;
        Throwable why;
        synchronized (this) {
            told = subscriber;
            why = failure;
            subscriber = null;
            state = State.OVER;
        }
        if (told == null) {
            return;
        }
        if (why == null) {
            told.onComplete();
        } else {
            told.onError(why);
        }
    }
}

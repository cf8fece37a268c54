package io.millrace.websocket;

import java.util.Objects;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * The publisher of a connection's messages. The connection is paused while there is no demand.
 *
 * <pre>
 * state        subscribe     onSubscribe has returned    end            end signalled, or cancel
 * NEW          SUBSCRIBING   –                           NEW            –
 * SUBSCRIBING  refused       ACTIVE                      SUBSCRIBING    OVER
 * ACTIVE       refused       –                           OVER           OVER
 * OVER         refused       –                           OVER           OVER
 * </pre>
 *
 * <p><b>Threads.</b> {@link #next}, {@link #fail} and {@link #close} are called by the listener, serially. An end before onSubscribe has returned is
 * signalled by the thread that subscribes.
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
    public void subscribe(Flow.Subscriber<? super WebSocketMessage> requester) {
        Objects.requireNonNull(requester);
        boolean first;
        synchronized (this) {
            first = state == State.NEW;
            if (first) {
                state = State.SUBSCRIBING;
                subscriber = requester;
            }
        }
        if (!first) {
            requester.onSubscribe(new Refused());
            requester.onError(new IllegalStateException("the messages of a connection accept only one subscriber"));
            return;
        }
        requester.onSubscribe(this);
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
            resumeIfRequested();
        }
    }

    /** The subscription of a rejected subscriber. */
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
                    "request(" + count + "): expected at least 1 (Reactive Streams, 3.9)"));
            return;
        }
        synchronized (this) {
            demand = demand + count < 0 ? Long.MAX_VALUE : demand + count;
        }
        resumeIfRequested();
    }

    private void resumeIfRequested() {
        boolean wanted;
        synchronized (this) {
            wanted = state == State.OVER || state == State.ACTIVE && demand > 0;
        }
        if (wanted) {
            connection.resume();
        }
    }

    /** Further messages are read and dropped, so that the peer's close frame is received. */
    @Override
    public void cancel() {
        synchronized (this) {
            state = State.OVER;
            subscriber = null;
        }
        connection.resume();
    }

    /** Delivers a message, for which there is demand. */
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
            resumeIfRequested(); // request may have been called meanwhile
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
        Flow.Subscriber<? super WebSocketMessage> ending;
        Throwable why;
        synchronized (this) {
            ending = subscriber;
            why = failure;
            subscriber = null;
            state = State.OVER;
        }
        if (ending == null) {
            return;
        }
        if (why == null) {
            ending.onComplete();
        } else {
            ending.onError(why);
        }
    }
}

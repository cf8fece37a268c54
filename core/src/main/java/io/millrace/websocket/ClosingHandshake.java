package io.millrace.websocket;

import io.millrace.io.Delays;
import io.millrace.io.Timers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The closing handshake of one connection, or its failure: by a close frame of either end, a violation of the protocol, or
 * an I/O error. {@link State} has its states. The listener is notified once.
 *
 * <p>Thread-safe.
 */
final class ClosingHandshake {

    private final WebSocketSession session;

    // guarded by this
    private State state = State.OPEN;
    private @Nullable CloseStatus status;
    private boolean notified;
    private Timers.@Nullable Timer timer;

    ClosingHandshake(WebSocketSession session) {
        this.session = session;
    }

    synchronized State state() {
        return state;
    }

    /** Called with the lock held. Returns the previous state; the first reason is kept. */
    private State move(State.Event event, CloseStatus why) {
        State from = state;
        state = State.next(from, event);
        if (status == null) {
            status = why;
        }
        return from;
    }

    /** Closes with 1001 when its turn comes: the server is stopping. */
    void drain(Timers timers) {
        GoingAway.spread(timers, () -> close(CloseStatus.GOING_AWAY));
    }

    /** Starts closing; does nothing if either end has. */
    void close(CloseStatus why) {
        close(why, why);
    }

    /**
     * Starts closing, after which a listener may have ended at once.
     *
     * @param told the status for the listener
     */
    void close(CloseStatus why, CloseStatus told) {
        CloseStatus fitting = why.fitting();
        synchronized (this) {
            if (state != State.OPEN) {
                return;
            }
            move(State.Event.SEND, told.fitting());
        }
        send(fitting);
        if (session.calls().endsAtOnce()) {
            notifyListener(Delivery.Kind.CLOSE);
        }
    }

    /**
     * The peer's close frame has arrived. It takes effect behind the messages before it, since the listener may answer
     * those; but not later than after the timeout of the closing handshake. If we have closed before, nothing more can
     * be sent, and it takes effect at once.
     */
    void arrived(CloseStatus why) {
        if (bound(() -> received(why))) {
            session.calls().add(Delivery.Kind.PEER_CLOSE, why);
        } else {
            received(why);
        }
    }

    /** The peer has ended the connection without a close frame, which takes effect in the same order. */
    void endArrived(IOException why) {
        if (bound(() -> ended(why))) {
            session.calls().add(Delivery.Kind.PEER_END, why);
        } else {
            ended(why);
        }
    }

    /** Runs the action after the timeout, unless the handshake goes on before. False, without it, if it has begun. */
    private synchronized boolean bound(Runnable action) {
        boolean open = state == State.OPEN;
        if (open) {
            timer = session.after(Delays.nanos(session.options().get(WebSocketOptions.CLOSE_TIMEOUT)), action);
        }
        return open;
    }

    /** The end of the connection takes effect. */
    void ended(IOException why) {
        session.lost(why);
        session.complete();
    }

    /** The peer's close frame takes effect: an answer is sent, or it is the answer to ours. May be called twice. */
    void received(CloseStatus why) {
        State from;
        synchronized (this) {
            from = move(State.Event.RECEIVE, why);
        }
        answer(from, why);
        notifyListener(from == State.OPEN ? Delivery.Kind.CLOSED_BY_PEER : Delivery.Kind.CLOSE);
    }

    /**
     * Closes the connection after a violation of the protocol (RFC 6455, 7.1.7), without waiting for the peer's close frame.
     *
     * @return false if the connection had ended already
     */
    boolean fail(WebSocketException fault) {
        CloseStatus why = new CloseStatus(fault.code(), String.valueOf(fault.getMessage())).fitting();
        State from;
        synchronized (this) {
            from = move(State.Event.RECEIVE, why);
        }
        if (!from.isReading()) {
            return false;
        }
        answer(from, why);
        session.calls().add(Delivery.Kind.ERROR, fault);
        notifyListener(Delivery.Kind.CLOSE);
        return true;
    }

    private void answer(State from, CloseStatus why) {
        if (from == State.OPEN) {
            send(why);
        } else if (from == State.CLOSE_SENT) {
            finish();
        }
    }

    /** If anything fails, the connection is aborted, so that it never waits for an answer without a timeout. */
    private void send(CloseStatus why) {
        try {
            startTimer();
            byte[] reason = why.reason().getBytes(StandardCharsets.UTF_8);
            ByteBuffer payload = ByteBuffer.allocate(Short.BYTES + reason.length);
            if (why.code() != CloseStatus.NO_CODE.code()) {
                payload.putShort((short) why.code()).put(reason);
            }
            session.sender().sendClose(payload.flip(), this::written);
        } catch (RuntimeException | Error failed) {
            session.abort(failed);
        }
    }

    private synchronized void startTimer() {
        if (state != State.CLOSED) {
            if (timer != null) {
                timer.cancel();
            }
            timer = session.after(Delays.nanos(session.options().get(WebSocketOptions.CLOSE_TIMEOUT)), this::timedOut);
        }
    }

    private void timedOut() {
        session.abort(new IOException(
                "the closing handshake took longer than " + session.options().get(WebSocketOptions.CLOSE_TIMEOUT)
                        + "; the option is " + WebSocketOptions.CLOSE_TIMEOUT.name()));
    }

    private void written(@Nullable Throwable failure) {
        boolean last = false;
        synchronized (this) {
            if (failure == null) {
                State from = state;
                state = State.next(from, State.Event.WRITTEN);
                last = from == State.ANSWERING;
            }
        }
        if (last) {
            finish();
        }
    }

    /** Both close frames have been exchanged. */
    private void finish() {
        stopTimer();
        session.release(new IOException("the WebSocket is closed"));
        session.complete();
    }

    private void stopTimer() {
        Timers.Timer running;
        synchronized (this) {
            running = timer;
            timer = null;
        }
        if (running != null) {
            running.cancel();
        }
    }

    /** The connection is broken. Idempotent. */
    void lost(Throwable cause) {
        State from;
        synchronized (this) {
            from = move(State.Event.END, CloseStatus.ABNORMAL);
        }
        if (from == State.CLOSED) {
            return;
        }
        stopTimer();
        session.release(cause);
        if (from == State.OPEN) {
            session.calls().add(Delivery.Kind.ERROR, cause);
        }
        notifyListener(Delivery.Kind.CLOSE);
    }

    private void notifyListener(Delivery.Kind kind) {
        CloseStatus why;
        synchronized (this) {
            if (notified) {
                return;
            }
            notified = true;
            why = status == null ? CloseStatus.ABNORMAL : status;
        }
        session.calls().add(kind, why);
    }

    /**
     * The states of a connection's closing handshake (RFC 6455, 7.1).
     *
     * <pre>
     * from           SEND           WRITTEN      RECEIVE       END
     * OPEN           CLOSE_QUEUED   OPEN         ANSWERING     CLOSED
     * CLOSE_QUEUED   CLOSE_QUEUED   CLOSE_SENT   ANSWERING     CLOSED
     * CLOSE_SENT     CLOSE_SENT     CLOSE_SENT   CLOSED        CLOSED
     * ANSWERING      ANSWERING      CLOSED       ANSWERING     CLOSED
     * CLOSED         CLOSED         CLOSED       CLOSED        CLOSED
     * </pre>
     */
    enum State {
        /** Messages are sent and received. */
        OPEN,
        /** Our close frame is pending; messages are read. */
        CLOSE_QUEUED,
        /** Our close frame was written; messages are read until the peer's close frame arrives. */
        CLOSE_SENT,
        /** Nothing is read any more; our close frame is pending. */
        ANSWERING,
        /** Both close frames were exchanged, or the connection is lost. */
        CLOSED;

        enum Event {
            /** This end closes: its close frame is queued. */
            SEND,
            /** Our close frame was written. */
            WRITTEN,
            /** The peer's close frame arrived, or it violated the protocol (RFC 6455, 7.1.7). Our close frame is queued, unless it was before. */
            RECEIVE,
            /** The connection broke or was aborted. */
            END
        }

        static State next(State from, Event event) {
            return switch (event) {
                case SEND -> from == OPEN ? CLOSE_QUEUED : from;
                case WRITTEN -> from == CLOSE_QUEUED ? CLOSE_SENT : from == ANSWERING ? CLOSED : from;
                case RECEIVE -> from == OPEN || from == CLOSE_QUEUED ? ANSWERING : from == CLOSE_SENT ? CLOSED : from;
                case END -> CLOSED;
            };
        }

        /** Whether input is still processed. */
        boolean isReading() {
            return this == OPEN || this == CLOSE_QUEUED || this == CLOSE_SENT;
        }
    }

    /**
     * Spreads the close frames of a stopping server over time, 20,000 a second: disconnected clients reconnect immediately, to
     * other servers, which could not accept all of them at once.
     */
    private static final class GoingAway {

        private static final long PAUSE = TimeUnit.SECONDS.toNanos(1) / 20_000;

        private static final AtomicLong NEXT = new AtomicLong(System.nanoTime());

        private GoingAway() {}

        /** Runs a task now, or on the timer thread when its turn comes. */
        static void spread(Timers timers, Runnable task) {
            long now = System.nanoTime();
            long due = NEXT.accumulateAndGet(now, (last, current) -> current + Math.max(0, last + PAUSE - current));
            if (due == now) {
                task.run();
            } else {
                timers.scheduleNanos(task, due - now);
            }
        }
    }
}

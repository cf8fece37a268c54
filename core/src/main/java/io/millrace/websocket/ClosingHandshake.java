package io.millrace.websocket;

import io.millrace.io.Delays;
import io.millrace.io.Timers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The closing handshake of one connection, or its failure: by a close frame of either end, a violation of the protocol, or
 * an I/O error. {@link CloseState} has its states. The listener is notified once.
 *
 * <p>Thread-safe.
 */
final class ClosingHandshake {

    private final WebSocketSession session;

    // guarded by this
    private CloseState state = CloseState.OPEN;
    private @Nullable CloseStatus status;
    private boolean notified;
    private Timers.@Nullable Timer timer;

    ClosingHandshake(WebSocketSession session) {
        this.session = session;
    }

    synchronized CloseState state() {
        return state;
    }

    /** Called with the lock held. Returns the previous state; the first reason is kept. */
    private CloseState move(CloseState.Event event, CloseStatus why) {
        CloseState from = state;
        state = CloseState.next(from, event);
        if (status == null) {
            status = why;
        }
        return from;
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
            if (state != CloseState.OPEN) {
                return;
            }
            move(CloseState.Event.SEND, told.fitting());
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
        boolean open = state == CloseState.OPEN;
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
        CloseState from;
        synchronized (this) {
            from = move(CloseState.Event.RECEIVE, why);
        }
        answer(from, why);
        notifyListener(from == CloseState.OPEN ? Delivery.Kind.CLOSED_BY_PEER : Delivery.Kind.CLOSE);
    }

    /**
     * Closes the connection after a violation of the protocol (RFC 6455, 7.1.7), without waiting for the peer's close frame.
     *
     * @return false if the connection had ended already
     */
    boolean fail(WebSocketException fault) {
        CloseStatus why = new CloseStatus(fault.code(), String.valueOf(fault.getMessage())).fitting();
        CloseState from;
        synchronized (this) {
            from = move(CloseState.Event.RECEIVE, why);
        }
        if (!from.isReading()) {
            return false;
        }
        answer(from, why);
        session.calls().add(Delivery.Kind.ERROR, fault);
        notifyListener(Delivery.Kind.CLOSE);
        return true;
    }

    private void answer(CloseState from, CloseStatus why) {
        if (from == CloseState.OPEN) {
            send(why);
        } else if (from == CloseState.CLOSE_SENT) {
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
        if (state != CloseState.CLOSED) {
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
                CloseState from = state;
                state = CloseState.next(from, CloseState.Event.WRITTEN);
                last = from == CloseState.ANSWERING;
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
        CloseState from;
        synchronized (this) {
            from = move(CloseState.Event.END, CloseStatus.ABNORMAL);
        }
        if (from == CloseState.CLOSED) {
            return;
        }
        stopTimer();
        session.release(cause);
        if (from == CloseState.OPEN) {
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
}

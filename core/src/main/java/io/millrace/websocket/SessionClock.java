package io.millrace.websocket;

import io.millrace.io.Completion;
import io.millrace.io.Delays;
import io.millrace.io.Timers;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The idle timeout and the ping interval of one connection. There is one timer, which is not rescheduled on input or output: it
 * checks the times of the last input and output when it expires.
 */
final class SessionClock implements Runnable {

    private static final CloseStatus IDLE =
            new CloseStatus(CloseStatus.GOING_AWAY.code(), "nothing was sent or received within the idle timeout");

    private final WebSocketSession session;
    private volatile long received;
    private volatile long sent;

    // guarded by this
    private long pinged;
    private boolean stopped;
    private Timers.@Nullable Timer timer;

    SessionClock(WebSocketSession session) {
        this.session = session;
        received = System.nanoTime();
        sent = received;
        pinged = received;
    }

    void received() {
        received = System.nanoTime();
    }

    void sent() {
        sent = System.nanoTime();
    }

    /** Reschedules the timer: the options have changed, or it has expired. */
    synchronized void restart() {
        cancel();
        schedule(System.nanoTime());
    }

    synchronized void stop() {
        stopped = true;
        cancel();
    }

    private void cancel() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }

    @Override
    public void run() {
        long now = System.nanoTime();
        WebSocketOptions options = session.options();
        long idle = Delays.nanos(options.get(WebSocketOptions.IDLE_TIMEOUT));
        long interval = Delays.nanos(options.get(WebSocketOptions.PING_INTERVAL));
        boolean dead;
        boolean ping;
        synchronized (this) {
            if (stopped) {
                return;
            }
            boolean quiet = interval > 0 && now - received >= interval;
            dead = quiet && isUnanswered() && now - pinged >= interval;
            ping = quiet && !isUnanswered();
            if (ping) {
                pinged = now;
            }
        }
        if (dead) {
            session.abort(new SocketTimeoutException(
                    "the peer did not answer a ping within " + options.get(WebSocketOptions.PING_INTERVAL)
                            + "; the option is " + WebSocketOptions.PING_INTERVAL.name()));
        } else if (idle > 0 && now - Math.max(received, sent) >= idle) {
            session.closeIdle(IDLE);
        } else {
            if (ping) {
                session.ping(ByteBuffer.allocate(0), Completion.IGNORE);
            }
            restart();
        }
    }

    /** Called with the lock held. Was nothing received since the last ping? */
    private boolean isUnanswered() {
        return pinged - received > 0;
    }

    /** Called with the lock held. */
    private void schedule(long now) {
        long idle = Delays.nanos(session.options().get(WebSocketOptions.IDLE_TIMEOUT));
        long interval = Delays.nanos(session.options().get(WebSocketOptions.PING_INTERVAL));
        long due = Delays.LONGEST_NANOS;
        if (idle > 0) {
            due = Math.max(received, sent) + idle - now;
        }
        if (interval > 0) {
            due = Math.min(due, (isUnanswered() ? pinged : received) + interval - now);
        }
        if (!stopped && due < Delays.LONGEST_NANOS) {
            timer = session.after(Math.max(due, 0), this);
        }
    }
}

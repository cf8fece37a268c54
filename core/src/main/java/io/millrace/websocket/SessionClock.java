package io.millrace.websocket;

import io.millrace.io.Completion;
import io.millrace.io.Delays;
import io.millrace.io.Timers;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Idle timeout and ping interval of one connection. Has one timer, which is not moved when something comes or goes: it looks at the
 * time when it is due.
 */
final class SessionClock implements Runnable {

    private static final CloseStatus IDLE =
            new CloseStatus(CloseStatus.GOING_AWAY.code(), "nothing was sent or received for the idle timeout");

    private final WebSocketSession session;
    private volatile long received;
    private volatile long sent;

    // guarded by this
    private long asked;
    private boolean stopped;
    private Timers.@Nullable Timer timer;

    SessionClock(WebSocketSession session) {
        this.session = session;
        received = System.nanoTime();
        sent = received;
        asked = received;
    }

    void received() {
        received = System.nanoTime();
    }

    void sent() {
        sent = System.nanoTime();
    }

    /** The options have changed. */
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
            dead = quiet && isUnanswered() && now - asked >= interval;
            ping = quiet && !isUnanswered();
            if (ping) {
                asked = now;
            }
        }
        if (dead) {
            session.abort(new SocketTimeoutException(
                    "the peer answered no ping within " + options.get(WebSocketOptions.PING_INTERVAL)
                            + "; the option is " + WebSocketOptions.PING_INTERVAL.name()));
        } else if (idle > 0 && now - Math.max(received, sent) >= idle) {
            session.close(IDLE);
        } else {
            if (ping) {
                session.ping(ByteBuffer.allocate(0), Completion.IGNORE);
            }
            restart();
        }
    }

    /** Under the lock: has nothing come since the last ping? */
    private boolean isUnanswered() {
        return asked - received > 0;
    }

    /** Under the lock. */
    private void schedule(long now) {
        long idle = Delays.nanos(session.options().get(WebSocketOptions.IDLE_TIMEOUT));
        long interval = Delays.nanos(session.options().get(WebSocketOptions.PING_INTERVAL));
        long due = Delays.LONGEST_NANOS;
        if (idle > 0) {
            due = Math.max(received, sent) + idle - now;
        }
        if (interval > 0) {
            due = Math.min(due, (isUnanswered() ? asked : received) + interval - now);
        }
        if (!stopped && due < Delays.LONGEST_NANOS) {
            timer = session.after(Math.max(due, 0), this);
        }
    }
}

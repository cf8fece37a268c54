package io.millrace.handler;

import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.Suspension;
import io.millrace.http.Headers;
import io.millrace.http.Method;
import io.millrace.io.Payload;
import io.millrace.io.Timers;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A response of server-sent events (HTML Standard, 9.2), to which any thread may send. It holds no thread, and memory only for
 * events that the client has not taken yet: when they exceed a limit, {@link #send} returns false and drops the event; the caller
 * goes on, or closes the stream, so that the client comes back with {@link #lastEventId}. A comment is sent when nothing else was
 * for the time of a heartbeat, so that proxies keep the connection. A client that takes nothing, or too slowly, is disconnected as
 * with any response: by the timeouts of its connector and {@link io.millrace.io.TransportOptions#MIN_DOWNLOAD_RATE}. Thread-safe.
 *
 * <pre>
 * OPEN     close ─────────────────────▶ CLOSING  what is unsent is written, with the end of the response
 * CLOSING  everything is written ─────▶ CLOSED
 * any      the client has left ───────▶ CLOSED
 * </pre>
 */
public final class EventStream {

    private static final int MAX_BUFFERS = 16;
    private static final ByteBuffer HEARTBEAT = ServerEvent.bytes(":\n\n");

    /**
     * The limits of a stream.
     *
     * @param maxPending how many bytes of events may wait for the client, besides those that are being written
     * @param heartbeat the time without an event after which a comment is sent; zero for none
     * @param retry how long a client that was disconnected waits before it connects again; zero for its own time
     */
    public record Options(int maxPending, Duration heartbeat, Duration retry) {

        /** 64 KiB, 15 seconds, and the client's own time. */
        public static final Options DEFAULTS = new Options(64 * 1024, Duration.ofSeconds(15), Duration.ZERO);

        /** Checks the limits. */
        public Options {
            if (maxPending < 1) {
                throw new IllegalArgumentException(
                        "maxPending is " + maxPending + " bytes; expected a positive number");
            }
            if (heartbeat.isNegative() || retry.isNegative()) {
                throw new IllegalArgumentException("heartbeat is " + heartbeat + " and retry is " + retry
                        + "; expected times that are not negative");
            }
        }

        /** The same with another limit of what may wait for the client, in bytes. */
        public Options withMaxPending(int bytes) {
            return new Options(bytes, heartbeat, retry);
        }

        /** The same with another heartbeat; zero for none. */
        public Options withHeartbeat(Duration time) {
            return new Options(maxPending, time, retry);
        }

        /** The same with another time after which clients connect again; zero for their own. */
        public Options withRetry(Duration time) {
            return new Options(maxPending, heartbeat, time);
        }
    }

    private enum State {
        OPEN,
        CLOSING,
        CLOSED
    }

    private final HttpExchange exchange;
    private final Suspension suspension;
    private final Timers timers;
    private final Options options;
    private final String lastEventId;

    // guarded by this
    private final Deque<ByteBuffer> pending = new ArrayDeque<>(2);
    private final List<Runnable> listeners = new ArrayList<>(1);
    private State state = State.OPEN;
    private int pendingBytes;
    private boolean writing;
    private boolean lastWritten;
    /** Whether anything was taken by the client since the last beat. */
    private boolean taken = true;

    private Timers.@Nullable Timer beat;

    private EventStream(HttpExchange exchange, Options options) {
        this.exchange = exchange;
        this.options = options;
        timers = exchange.channel().timers();
        String last = exchange.request().headers().get("Last-Event-ID");
        lastEventId = last == null ? "" : last;
        exchange.onEnd(outcome -> ended());
        suspension = exchange.suspend(Duration.ZERO, late -> {});
    }

    /**
     * Begins a stream with the usual limits: the last call of a handler on its exchange. The head of the response is sent at once.
     */
    public static EventStream open(HttpExchange exchange) {
        return open(exchange, Options.DEFAULTS);
    }

    /** Begins a stream: the last call of a handler on its exchange. The head of the response is sent at once. */
    public static EventStream open(HttpExchange exchange, Options options) {
        Headers headers = exchange.response().headers();
        headers.set("Content-Type", "text/event-stream");
        headers.set("Cache-Control", "no-store");
        headers.set("X-Accel-Buffering", "no"); // nginx would collect events
        EventStream stream = new EventStream(exchange, options);
        stream.begin(exchange.request().method().equals(Method.HEAD));
        return stream;
    }

    private void begin(boolean bodiless) {
        synchronized (this) {
            enqueue(
                    options.retry().isZero()
                            ? HEARTBEAT.duplicate()
                            : ServerEvent.bytes("retry: " + options.retry().toMillis() + "\n\n"));
            if (bodiless) {
                state = State.CLOSING;
            }
        }
        write();
        schedule();
    }

    /** The id of the last event that the client has received before it was disconnected; empty if it sends none. */
    public String lastEventId() {
        return lastEventId;
    }

    /**
     * Sends an event, now or when the client has taken those before it. Never blocks.
     *
     * @return false if it was dropped: too much is waiting for the client, or the stream is closed
     */
    public boolean send(ServerEvent event) {
        ByteBuffer bytes = event.encoded();
        synchronized (this) {
            if (state != State.OPEN || pendingBytes > 0 && pendingBytes + bytes.remaining() > options.maxPending()) {
                return false;
            }
            enqueue(bytes);
        }
        write();
        return true;
    }

    private synchronized void enqueue(ByteBuffer bytes) {
        pendingBytes += bytes.remaining();
        pending.add(bytes);
    }

    /** Whether nothing can be sent any more, because the stream was closed or the client has left. */
    public synchronized boolean isClosed() {
        return state != State.OPEN;
    }

    /** Ends the response after what was sent. The client will connect again. */
    public void close() {
        synchronized (this) {
            if (state != State.OPEN) {
                return;
            }
            state = State.CLOSING;
        }
        write();
    }

    /** Registers a listener that is called once, when the client has left or everything was written; at once if it was. Must not block. */
    public void onClose(Runnable listener) {
        synchronized (this) {
            if (state != State.CLOSED) {
                listeners.add(listener);
                return;
            }
        }
        listener.run();
    }

    /** Writes what is pending, unless another thread does. */
    private void write() {
        boolean more = true;
        while (more) {
            more = writeOnce();
        }
    }

    /** Whether it is for this thread to go on: something was written, and has been taken already. */
    private boolean writeOnce() {
        try {
            Payload piece;
            boolean last;
            synchronized (this) {
                if (writing || lastWritten || state == State.CLOSED || pending.isEmpty() && state == State.OPEN) {
                    return false;
                }
                ByteBuffer[] buffers = new ByteBuffer[Math.min(MAX_BUFFERS, pending.size())];
                for (int i = 0; i < buffers.length; i++) {
                    buffers[i] = pending.remove();
                    pendingBytes -= buffers[i].remaining();
                }
                piece = new Payload.Bytes(buffers);
                last = state == State.CLOSING && pending.isEmpty();
                lastWritten = last;
                writing = true;
            }
            AtomicBoolean first =
                    new AtomicBoolean(true); // of the call's return and its completion: the second goes on
            exchange.output().write(piece, last, failure -> {
                written(last, failure);
                if (!first.getAndSet(false)) {
                    write();
                }
            });
            return !first.getAndSet(false);
        } catch (RuntimeException | Error failed) { // of this client; whoever sends to many goes on with the others
            synchronized (this) {
                lastWritten = true;
            }
            exchange.abort(failed);
            return false;
        }
    }

    private void written(boolean last, @Nullable Throwable failure) {
        synchronized (this) {
            writing = false;
            taken = true;
            lastWritten |= failure != null;
        }
        if (last || failure != null) {
            suspension.completeHere();
        }
    }

    private void schedule() {
        if (options.heartbeat().isZero()) {
            return;
        }
        Timers.Timer next = timers.schedule(this::beat, options.heartbeat());
        synchronized (this) {
            if (state != State.CLOSED) {
                beat = next;
                return;
            }
        }
        next.cancel();
    }

    /** On the timer thread. */
    private void beat() {
        try {
            synchronized (this) {
                if (state == State.OPEN && !writing && !taken) {
                    enqueue(HEARTBEAT.duplicate());
                }
                taken = false;
            }
            write();
        } finally {
            if (!isEnded()) {
                schedule();
            }
        }
    }

    private synchronized boolean isEnded() {
        return state == State.CLOSED;
    }

    private void ended() {
        List<Runnable> called;
        Timers.Timer timer;
        synchronized (this) {
            state = State.CLOSED;
            pending.clear();
            pendingBytes = 0;
            called = List.copyOf(listeners);
            listeners.clear();
            timer = beat;
            beat = null;
        }
        if (timer != null) {
            timer.cancel();
        }
        Throwable failure = null;
        for (Runnable listener : called) {
            try {
                listener.run();
            } catch (RuntimeException | Error failed) {
                failure = failure == null ? failed : failure;
            }
        }
        if (failure instanceof Error error) {
            throw error;
        } else if (failure != null) {
            throw (RuntimeException) failure;
        }
    }
}

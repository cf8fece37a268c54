package io.millrace.protocol.mux;

import io.millrace.client.ClientRequest;
import io.millrace.http.Headers;
import io.millrace.http.ResponseHead;
import io.millrace.http.Status;
import io.millrace.io.Completion;
import io.millrace.io.Payload;
import io.millrace.io.Turns;
import io.millrace.protocol.BodyRate;
import io.millrace.protocol.HttpOptions;
import io.millrace.protocol.mux.StreamOutput.Progress;
import io.millrace.settings.Settings;
import java.io.IOException;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The output of a multiplexed connection, and its order. The sending thread encodes its frames into the batch that is being
 * filled, if there is room and no stream of higher priority is waiting; other bodies stay in the exchanges' buffers until
 * they are scheduled. {@link OutputPump} writes.
 *
 * <p><b>Memory.</b> Two batches of 48 KiB; beyond that, the heads of {@code maxConcurrentStreams} responses, and up to {@link
 * #MAX_CONTROL} control frames and those that one read causes. Bodies belong to their exchanges.
 *
 * <p><b>Threads.</b> Thread-safe. Only the frame writer is called under the lock. Methods that do not flush are for the
 * connection's reader, whose output is flushed at the end of each read.
 */
final class MuxOutput implements OutputPump.Source {

    /** With this many unsent control frames, reading from the peer is suspended. */
    static final int MAX_CONTROL = 1000;

    private final MuxConnection connection;
    private final MuxLock lock;
    private final FrameWriter writer;
    private final AbuseMeter meter;
    private final Settings options;
    private final OutputPump pump;

    // guarded by the lock
    private final FlowWindow window;
    private final BodyRate rate;
    private @Nullable Schedule schedule;
    private @Nullable ArrayDeque<StreamOutput> heads;
    private @Nullable StreamOutput firstToComplete;
    private @Nullable StreamOutput lastToComplete;
    private int control;

    MuxOutput(MuxConnection connection, Turns turns, FrameWriter writer, AbuseMeter meter) {
        this.connection = connection;
        lock = connection.lock();
        this.writer = writer;
        this.meter = meter;
        window = writer.hasConnectionWindow() ? new FlowWindow(writer.firstWindow()) : FlowWindow.unbounded();
        options = connection.context().options();
        rate = BodyRate.ofDownloads(options, options.get(MuxOptions.STREAM_WRITE_TIMEOUT));
        pump = new OutputPump(
                connection.transport(),
                turns,
                connection.context().guard(connection.channel().timers()),
                connection.context().writers(),
                lock,
                this);
    }

    OutputPump pump() {
        return pump;
    }

    // ---- for exchanges; these methods flush

    /** Sends a piece of a response; see {@link io.millrace.protocol.HttpStream#send}. */
    void send(MuxStream stream, @Nullable ResponseHead head, Payload body, boolean last, Completion completion) {
        if (body instanceof Payload.Bytes bytes) {
            sendBytes(stream, head, bytes, last, completion);
        } else {
            new FilePieces(stream, head, body, last, completion).start();
        }
    }

    void sendBytes(
            MuxStream stream, @Nullable ResponseHead head, Payload.Bytes body, boolean last, Completion completion) {
        boolean fits = head == null || fits(head);
        boolean taken;
        synchronized (lock) {
            StreamOutput out = stream.out();
            taken = !pump.isClosed() && out.give(head, body, last, completion);
            if (taken) {
                try {
                    if (head != null && !fits) {
                        out.replaceHead(head, Status.INTERNAL_SERVER_ERROR);
                    } else if (head != null && head.status() / 100 == 2 && stream.isTunnelMissing()) {
                        out.replaceHead(head, Status.NOT_IMPLEMENTED); // RFC 8441, 4: success opens the tunnel
                    } else if (head != null) {
                        applyPriority(stream, head);
                    }
                    advance(out);
                } catch (Throwable error) {
                    pump.abort(error);
                }
            }
        }
        if (!taken) {
            completion.done(stream.failure());
        }
        runCompletions();
        pump.flushSoon();
    }

    /** Sends the head of a request on a new stream. Called with the lock held; the caller flushes. */
    void request(MuxStream stream, ClientRequest request, Completion sent) {
        lock.assertHeld();
        try {
            stream.out().give(request, sent);
            advance(stream.out());
        } catch (Throwable error) {
            pump.abort(error);
        }
    }

    /** Clients and proxies reject large heads, for no obvious reason; an error response takes their place. */
    private boolean fits(ResponseHead head) {
        int size = head.headers().characters();
        boolean fits = size <= options.get(HttpOptions.MAX_RESPONSE_HEADER_SIZE);
        if (!fits) {
            connection.context().noteHeadTooLarge(size);
        }
        return fits;
    }

    /** The priority in the response takes precedence over the client's (RFC 9218, 8). */
    private void applyPriority(MuxStream stream, ResponseHead head) {
        String field = head.headers().get("priority");
        if (field != null) {
            stream.out().priority = Priority.parse(field, stream.out().priority);
        }
    }

    private void advance(StreamOutput out) {
        lock.assertHeld();
        if (out.isTooShort()) {
            connection
                    .streams()
                    .reset(
                            out.stream,
                            Fault.INTERNAL,
                            new IOException("the response is shorter than its Content-Length"));
            return;
        }
        if (out.hasHead()) {
            if (pump.isFull() || heads != null && !heads.isEmpty()) { // requests must be sent in the order of their ids
                if (heads == null) {
                    heads = new ArrayDeque<>();
                }
                heads.add(out);
                return;
            }
            out.sendHead(writer, pump.open());
        }
        sendBody(out, pump.open());
    }

    private void sendBody(StreamOutput out, Batch batch) {
        boolean behind = schedule != null && schedule.hasAnyBefore(out.priority);
        if (behind && out.hasBody() && out.window.available() > 0) {
            schedule().ready(out);
            return;
        }
        Progress progress;
        do {
            progress = sendFrame(out, batch);
        } while (progress == Progress.MORE);
        if (progress == Progress.FULL) {
            if (schedule().isEmpty()) {
                window.unblock(); // the streams that it blocked have ended
            }
            schedule().ready(out);
            noteWindow();
        }
    }

    private Progress sendFrame(StreamOutput out, Batch batch) {
        int before = window.available();
        Progress progress = out.send(writer, window, batch);
        int octets = before - window.available();
        if (octets > 0) {
            rate.came(octets);
            meter.sent(octets, out.hasBody() && out.window.available() == 0);
        }
        return progress;
    }

    private Schedule schedule() {
        if (schedule == null) {
            schedule = new Schedule();
        }
        return schedule;
    }

    private void noteWindow() {
        if (window.available() == 0 && window.block()) {
            rate.begin();
            connection.sweep().watch();
        }
    }

    /** Sends an interim response; drops it if the output is congested, since it is optional. */
    void inform(MuxStream stream, int status, Headers fields) {
        synchronized (lock) {
            if (stream.isOwnOpen() && stream.out().isIdle() && !isCongested()) {
                sendControl(to -> writer.interim(stream.id(), status, fields, to));
            }
        }
        pump.flushSoon();
    }

    /** Sends a window update for a stream. */
    void grant(MuxStream stream, int octets) {
        synchronized (lock) {
            if (!stream.isPeerOpen() || connection.shutdown().state() == MuxState.CLOSED) {
                return;
            }
            sendControl(to -> writer.credit(stream.id(), octets, to));
        }
        pump.flushSoon();
    }

    // ---- control frames, flushed at the end of a read

    /** Sends the settings and the connection's initial window. */
    void start() {
        synchronized (lock) {
            int more = options.get(MuxOptions.CONNECTION_WINDOW_SIZE) - writer.firstWindow();
            sendControl(to -> {
                writer.start(to);
                if (more > 0) {
                    writer.credit(0, more, to);
                }
            });
        }
    }

    /** Sends a window update for the connection. */
    void grant(int octets) {
        synchronized (lock) {
            sendControl(to -> writer.credit(0, octets, to));
        }
    }

    void ping(long payload) {
        synchronized (lock) {
            sendControl(to -> writer.ping(payload, true, to));
        }
    }

    /** Applies the peer's window update for the connection. */
    void credit(int increment) throws ConnectionFault {
        synchronized (lock) {
            if (!window.add(increment)) {
                throw new ConnectionFault(Fault.FLOW_CONTROL, "a connection window of more than 2147483647");
            }
            if (!window.isBlocked()) {
                rate.end();
            }
        }
    }

    // ---- for the streams, with the lock held

    /** Called when a stream's window may be open again. */
    void reopened(StreamOutput out) {
        lock.assertHeld();
        out.noteWindow();
        if (!out.hasHead() && out.hasBody() && out.window.available() > 0) {
            schedule().ready(out);
        }
    }

    /** Removes a stream that sends nothing more. */
    void forget(StreamOutput out) {
        lock.assertHeld();
        if (schedule != null) {
            schedule.remove(out);
        }
    }

    /** Releases memory while there are no streams. */
    void shrink() {
        lock.assertHeld();
        schedule = null;
        heads = null;
    }

    /** Whether a stream is blocked by its window or the connection's. */
    boolean isWaiting(StreamOutput out) {
        lock.assertHeld();
        return out.window.isBlocked() || window.isBlocked() && out.isScheduled();
    }

    /** Whether it has been blocked since before this time. */
    boolean isOverdue(StreamOutput out, long since) {
        lock.assertHeld();
        return out.window.isOverdue(since) || window.isOverdue(since) && out.isScheduled();
    }

    /** Whether the peer opens the windows too slowly for it. */
    boolean isTooSlow(StreamOutput out, long now) {
        lock.assertHeld();
        return out.isTooSlow(now) || window.isBlocked() && out.isScheduled() && rate.isOver(now);
    }

    /** Changes a stream's priority. */
    void prioritize(MuxStream stream, Priority priority) {
        synchronized (lock) {
            if (schedule != null) {
                schedule.move(stream.out(), priority);
            } else {
                stream.out().priority = priority;
            }
        }
    }

    interface Frame {
        void put(Batch to);
    }

    /** Sends control frames. Called with the lock held. A failure closes the connection, since a partial frame is fatal. */
    void sendControl(Frame frame) {
        lock.assertHeld();
        control = pump.isWriting() ? control + 1 : 0;
        try {
            frame.put(pump.open());
        } catch (Throwable error) {
            pump.abort(error);
        }
    }

    /** Whether the peer does not receive the responses to its control frames. */
    boolean isCongested() {
        synchronized (lock) {
            return pump.isWriting() && control >= MAX_CONTROL;
        }
    }

    /** Runs an action at the end of the current write. False, without registering it, if there is none. */
    boolean awaitRoom(Runnable action) {
        synchronized (lock) {
            return pump.awaitRoom(action);
        }
    }

    // ---- called by the pump

    @Override
    public void fill(Batch batch) {
        lock.assertHeld();
        try {
            fillUp(batch);
        } catch (Throwable error) {
            pump.abort(error);
        }
    }

    @Override
    public boolean hasMore() {
        lock.assertHeld();
        return heads != null && !heads.isEmpty() || schedule != null && !schedule.isEmpty();
    }

    @Override
    public boolean areOthersSending() {
        lock.assertHeld();
        return connection.streams().running() > 1;
    }

    private void fillUp(Batch batch) {
        while (heads != null && !heads.isEmpty() && !batch.isFull()) {
            StreamOutput out = heads.remove();
            if (out.hasHead()) {
                out.sendHead(writer, batch);
                sendBody(out, batch);
            }
        }
        while (schedule != null) {
            StreamOutput out = (StreamOutput) schedule.next();
            if (out == null) {
                return;
            }
            Schedule current = schedule; // set to null when the last stream ends
            switch (sendFrame(out, batch)) {
                case MORE -> current.sent(out);
                case DONE, BLOCKED -> current.sentLast(out);
                case FULL -> {
                    noteWindow();
                    return;
                }
            }
        }
    }

    /** Queues the call of a stream's completion. Called with the lock held. */
    void toComplete(StreamOutput out) {
        lock.assertHeld();
        StreamOutput last = lastToComplete;
        if (last == null) {
            firstToComplete = out;
        } else {
            last.nextToComplete = out;
        }
        lastToComplete = out;
    }

    @Override
    public boolean runCompletions() {
        StreamOutput next;
        synchronized (lock) {
            next = firstToComplete;
            firstToComplete = null;
            lastToComplete = null;
        }
        boolean any = next != null;
        while (next != null) {
            StreamOutput out = next;
            next = out.nextToComplete;
            out.nextToComplete = null;
            try {
                out.complete();
            } catch (Throwable error) { // the others are still called
                connection.failed(error);
            }
        }
        return any;
    }

    @Override
    public void finished(@Nullable Throwable failure) {
        connection.shutdown().sent();
        connection.linger(failure);
    }
}

package io.millrace.protocol.mux;

import io.millrace.http.Headers;
import io.millrace.http.ResponseHead;
import io.millrace.io.Completion;
import io.millrace.io.Payload;
import io.millrace.io.Turns;
import io.millrace.protocol.BodyRate;
import io.millrace.protocol.ResetReason;
import io.millrace.protocol.StreamResetException;
import io.millrace.protocol.mux.StreamOutput.Progress;
import io.millrace.settings.Settings;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
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
    private int initialWindow;
    private final FlowWindow window;
    private final BodyRate rate;
    private @Nullable Schedule schedule;
    private @Nullable ArrayDeque<MuxStream> heads;
    private @Nullable StreamOutput firstToComplete;
    private @Nullable StreamOutput lastToComplete;
    private int control;

    MuxOutput(MuxConnection connection, Turns turns, FrameWriter writer) {
        this.connection = connection;
        lock = connection.lock();
        this.writer = writer;
        meter = connection.meter();
        initialWindow = writer.firstWindow();
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

    /**
     * Sends a piece of a message; see {@link io.millrace.protocol.HttpStream#send}.
     *
     * @param instead the status of the response that is sent instead of this head; 0 if it may be sent
     */
    void send(
            MuxStream stream,
            @Nullable ResponseHead head,
            int instead,
            Payload.Bytes body,
            boolean last,
            Completion completion) {
        boolean taken;
        synchronized (lock) {
            taken = !pump.isClosed() && stream.out().give(head, body, last, completion);
            if (taken) {
                try {
                    if (head != null && instead != 0) {
                        stream.out().replaceHead(head, instead);
                    } else if (head != null) {
                        applyPriority(stream, head);
                    }
                    advance(stream);
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

    /**
     * Sends the head of a request on a new stream; the parameters are those of {@link StreamOutput#give}. Called with the lock
     * held; the caller flushes.
     */
    void request(MuxStream stream, FrameWriter.Opening head, long length, boolean last, Completion sent) {
        lock.assertHeld();
        try {
            stream.out().give(head, length, last, sent);
            advance(stream);
        } catch (Throwable error) {
            pump.abort(error);
        }
    }

    /** The priority in the response takes precedence over the client's (RFC 9218, 8). */
    private void applyPriority(MuxStream stream, ResponseHead head) {
        String field = head.headers().get("priority");
        if (field != null) {
            stream.priority = Priority.parse(field, stream.priority);
        }
    }

    private void advance(MuxStream stream) {
        lock.assertHeld();
        StreamOutput out = stream.out();
        if (out.isTooShort()) {
            IOException why = new IOException("the response is shorter than its Content-Length");
            connection.streams().reset(stream, Fault.INTERNAL, why);
            return;
        }
        if (out.hasHead()) {
            if (pump.isFull() || heads != null && !heads.isEmpty()) { // requests must be sent in the order of their ids
                if (heads == null) {
                    heads = new ArrayDeque<>();
                }
                heads.add(stream);
                return;
            }
            sendHead(stream, pump.open());
        }
        sendBody(stream, pump.open());
    }

    private void sendHead(MuxStream stream, Batch batch) {
        stream.out().sendHead(writer, batch);
        noteEnd(stream);
    }

    private void noteEnd(MuxStream stream) {
        if (stream.out().isEndSent()) {
            connection.streams().ownEnded(stream);
        }
    }

    private void sendBody(MuxStream stream, Batch batch) {
        StreamOutput out = stream.out();
        boolean behind = schedule != null && schedule.hasAnyBefore(stream.priority);
        if (behind && out.hasBody() && out.window.available() > 0) {
            schedule().ready(stream);
            return;
        }
        Progress progress;
        do {
            progress = sendFrame(stream, batch);
        } while (progress == Progress.MORE);
        if (progress == Progress.FULL) {
            if (schedule().isEmpty()) {
                window.unblock(); // the streams that it blocked have ended
            }
            schedule().ready(stream);
            noteWindow();
        }
    }

    private Progress sendFrame(MuxStream stream, Batch batch) {
        StreamOutput out = stream.out();
        int before = window.available();
        Progress progress = out.send(writer, window, batch);
        int bytes = before - window.available();
        if (bytes > 0) {
            rate.came(bytes);
            meter.sent(bytes, out.hasBody() && out.window.available() == 0);
        }
        if (progress == Progress.DONE) {
            noteEnd(stream);
            toComplete(out);
        } else if (progress == Progress.BLOCKED && out.awaitWindow(options)) {
            connection.watch();
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
            connection.watch();
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
    void grant(MuxStream stream, int bytes) {
        synchronized (lock) {
            if (!stream.isPeerOpen() || connection.streams().state() == MuxState.CLOSED) {
                return;
            }
            sendControl(to -> writer.credit(stream.id(), bytes, to));
        }
        pump.flushSoon();
    }

    // ---- control frames, flushed at the end of a read

    /** Sends the settings and the connection's initial window. */
    void start() {
        int more = options.get(MuxOptions.CONNECTION_WINDOW_SIZE) - writer.firstWindow();
        sendControl(to -> {
            writer.start(to);
            if (more > 0) {
                writer.credit(0, more, to);
            }
        });
    }

    /** Sends a window update for the connection. */
    void grant(int bytes) {
        sendControl(to -> writer.credit(0, bytes, to));
    }

    /** Acknowledges a ping. */
    void ping(long payload) {
        sendControl(to -> writer.ping(payload, true, to));
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

    // ---- the windows of streams

    /** The initial window of a new stream. Called with the lock held. */
    int initialWindow() {
        lock.assertHeld();
        return initialWindow;
    }

    /** Applies the peer's window update for a stream. False if the window would be too large. */
    boolean credit(int id, int increment) {
        synchronized (lock) {
            MuxStream stream = connection.streams().find(id);
            if (stream == null) {
                return true;
            }
            boolean within = stream.out().window.add(increment);
            reopened(stream);
            return within;
        }
    }

    /** Applies the peer's settings, and acknowledges them if they came in a frame. */
    void adopt(PeerSettings settings, boolean acknowledge) throws ConnectionFault {
        synchronized (lock) {
            writer.apply(settings);
            if (settings.initialWindow() != PeerSettings.UNSAID) {
                shift(settings.initialWindow());
            }
            if (acknowledge) {
                sendControl(writer::settingsAck);
            }
        }
    }

    private void shift(int to) throws ConnectionFault {
        long difference = (long) to - initialWindow;
        initialWindow = to;
        List<MuxStream> all = connection.streams().all();
        all.sort(Comparator.comparingInt(MuxStream::id)); // the oldest first
        for (MuxStream each : all) {
            if (!each.out().window.shift(difference)) {
                throw new ConnectionFault(
                        Fault.FLOW_CONTROL, "an initial window that raises a stream's window above 2147483647");
            }
            reopened(each);
        }
    }

    private void reopened(MuxStream stream) {
        StreamOutput out = stream.out();
        out.noteWindow();
        if (!out.hasHead() && out.hasBody() && out.window.available() > 0) {
            schedule().ready(stream);
        }
    }

    // ---- for the streams, with the lock held

    /** Fails what a stream is sending: it sends nothing more. */
    void fail(MuxStream stream, Throwable why) {
        lock.assertHeld();
        if (schedule != null) {
            schedule.remove(stream);
        }
        if (stream.out().fail(why)) {
            toComplete(stream.out());
        }
    }

    /** Releases memory while there are no streams. */
    void shrink() {
        lock.assertHeld();
        schedule = null;
        heads = null;
    }

    /** Whether a stream is blocked by its window or the connection's. Called with the lock held, like the next. */
    boolean isWaiting(MuxStream stream) {
        lock.assertHeld();
        return stream.out().window.isBlocked() || isBehind(stream);
    }

    private boolean isBehind(MuxStream stream) {
        return window.isBlocked() && stream.isScheduled();
    }

    /** Why a stream that is blocked is not waited for any longer; null if it is. */
    @Nullable
    IOException stall(MuxStream stream, long now) {
        if (connection.isEnded() && isWaiting(stream)) {
            return new StreamResetException(
                    ResetReason.CANCEL, "the peer has ended its output, and can open no flow-control window");
        }
        StreamOutput out = stream.out();
        Duration timeout = options.get(MuxOptions.STREAM_WRITE_TIMEOUT);
        long since = now - FrameClock.nanos(timeout);
        if (out.window.isOverdue(since) || window.isOverdue(since) && stream.isScheduled()) {
            return new StreamResetException(ResetReason.TIMEOUT, "its flow-control window was closed for " + timeout);
        }
        if (out.isTooSlow(now) || isBehind(stream) && rate.isOver(now)) {
            connection.context().noteSlowReader(connection.transport().channel());
            return new StreamResetException(
                    ResetReason.TIMEOUT, "the peer took the response more slowly than minDownloadRate");
        }
        return null;
    }

    /** Changes a stream's priority. */
    void prioritize(MuxStream stream, Priority priority) {
        synchronized (lock) {
            if (schedule == null) {
                stream.priority = priority;
            } else {
                schedule.move(stream, priority);
            }
        }
    }

    /** Sends control frames. A failure closes the connection, since a partial frame is fatal. */
    void sendControl(Consumer<Batch> frame) {
        synchronized (lock) {
            control = pump.isWriting() ? control + 1 : 0;
            try {
                frame.accept(pump.open());
            } catch (Throwable error) {
                pump.abort(error);
            }
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
            MuxStream stream = heads.remove();
            if (stream.out().hasHead()) {
                sendHead(stream, batch);
                sendBody(stream, batch);
            }
        }
        while (schedule != null) {
            MuxStream stream = (MuxStream) schedule.next();
            if (stream == null) {
                return;
            }
            Schedule current = schedule; // set to null when the last stream ends
            switch (sendFrame(stream, batch)) {
                case MORE -> current.sent(stream);
                case DONE, BLOCKED -> current.sentLast(stream);
                case FULL -> {
                    noteWindow();
                    return;
                }
            }
        }
    }

    /** Queues the call of a completion that is due. */
    private void toComplete(StreamOutput out) {
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
        connection.streams().sent();
        connection.linger(failure);
    }
}

package io.millrace.protocol.mux;

import io.millrace.client.ClientRequest;
import io.millrace.http.Headers;
import io.millrace.http.ResponseHead;
import io.millrace.http.Status;
import io.millrace.io.Completion;
import io.millrace.io.Payload;
import io.millrace.io.Turns;
import io.millrace.protocol.HttpOptions;
import io.millrace.protocol.mux.StreamOutput.Progress;
import io.millrace.settings.Settings;
import java.io.IOException;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * What a connection of many streams sends, and in which order. Its monitor is the output lock: it
 * guards the streams' states and windows, the frame writer, and the batch that is being filled. What is sent is encoded by
 * whoever sends it, into the open batch, if there is room and nobody goes before; larger bodies stay where they are until it
 * is their turn. {@link OutputPump} writes.
 *
 * <p><b>Memory.</b> Two batches of 48 KiB, and what can't wait: the heads of {@code maxConcurrentStreams} responses, and up to
 * {@link #MAX_CONTROL} short frames and those that one read causes. Bodies are their exchanges'.
 *
 * <p><b>Threads.</b> Any. Nothing is called with the lock but the frame writer. The connection's reader, whose output leaves
 * when it is done reading, calls what says nothing of flushing.
 */
final class MuxOutput implements OutputPump.Source {

    /** Answers that the peer does not take: with so many nothing more is read from it. */
    static final int MAX_CONTROL = 1000;

    private final MuxConnection connection;
    private final FrameWriter writer;
    private final AbuseMeter meter;
    private final Settings options;
    private final OutputPump pump;

    // guarded by this
    private final FlowWindow window;
    private @Nullable Schedule schedule;
    private @Nullable ArrayDeque<StreamOutput> heads;
    private @Nullable StreamOutput firstToTell;
    private @Nullable StreamOutput lastToTell;
    private int control;

    MuxOutput(MuxConnection connection, Turns turns, FrameWriter writer, AbuseMeter meter) {
        this.connection = connection;
        this.writer = writer;
        this.meter = meter;
        window = writer.hasConnectionWindow() ? new FlowWindow(writer.firstWindow()) : FlowWindow.unbounded();
        options = connection.context().options();
        pump = new OutputPump(
                connection.transport(),
                turns,
                connection.context().guard(connection.channel().timers()),
                connection.context().writers(),
                this,
                this);
    }

    OutputPump pump() {
        return pump;
    }

    // ---- what exchanges do; flushed

    /** A piece of a response; as {@link io.millrace.protocol.HttpStream#send}. */
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
        synchronized (this) {
            StreamOutput out = stream.out();
            taken = out.give(head, body, last, completion);
            if (taken) {
                try {
                    if (head != null && !fits) {
                        out.replaceHead(head, Status.INTERNAL_SERVER_ERROR);
                    } else if (head != null) {
                        reconsider(stream, head);
                    }
                    advance(out);
                } catch (Throwable error) {
                    pump.breakOff(error);
                }
            }
        }
        if (!taken) {
            completion.done(stream.failure());
        }
        tell();
        pump.flushSoon();
    }

    /** The head of a request, whose stream was opened just now. With the lock; flushed by the caller. */
    void request(MuxStream stream, ClientRequest request, Completion sent) {
        try {
            stream.out().give(request, sent);
            advance(stream.out());
        } catch (Throwable error) {
            pump.breakOff(error);
        }
    }

    /** The client would refuse such a head, or a proxy before it, and nobody would know why: an error instead. */
    private boolean fits(ResponseHead head) {
        int size = head.headers().characters();
        boolean fits = size <= options.get(HttpOptions.MAX_RESPONSE_HEADER_SIZE);
        if (!fits) {
            connection.context().noteHeadTooLarge(size);
        }
        return fits;
    }

    /** The server knows best what is urgent (RFC 9218, 8). */
    private void reconsider(MuxStream stream, ResponseHead head) {
        String wish = head.headers().get("priority");
        if (wish != null) {
            stream.out().priority = Priority.parse(wish, stream.out().priority);
        }
    }

    private void advance(StreamOutput out) {
        if (out.isTooShort()) {
            connection
                    .streams()
                    .reset(
                            out.stream,
                            Fault.INTERNAL,
                            new IOException("the response is shorter than its Content-Length announced"));
            return;
        }
        if (out.hasHead()) {
            if (pump.isFull() || heads != null && !heads.isEmpty()) { // those of requests go out by their ids
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
                window.unblock(); // who waited for it is gone
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
            connection.sweep().watch();
        }
    }

    /** An interim response. Nobody needs one, so it is dropped where the peer does not take what it asked for. */
    void inform(MuxStream stream, int status, Headers fields) {
        synchronized (this) {
            if (stream.isOwnOpen() && stream.out().isIdle() && !isCongested()) {
                say(to -> writer.interim(stream.id(), status, fields, to));
            }
        }
        pump.flushSoon();
    }

    /** The peer may send more of a body. */
    void grant(MuxStream stream, int octets) {
        synchronized (this) {
            if (!stream.isPeerOpen() || connection.shutdown().state() == MuxState.CLOSED) {
                return;
            }
            say(to -> writer.credit(stream.id(), octets, to));
        }
        pump.flushSoon();
    }

    // ---- what the protocol itself says; flushed when the reader is done

    /** The connection begins. */
    synchronized void start() {
        int more = options.get(MuxOptions.CONNECTION_WINDOW_SIZE) - writer.firstWindow();
        say(to -> {
            writer.start(to);
            if (more > 0) {
                writer.credit(0, more, to);
            }
        });
    }

    /** The peer may send more on the whole connection. */
    synchronized void grant(int octets) {
        say(to -> writer.credit(0, octets, to));
    }

    synchronized void ping(long payload) {
        say(to -> writer.ping(payload, true, to));
    }

    /** The peer has opened the connection's window. */
    synchronized void credit(int increment) throws ConnectionFault {
        if (!window.add(increment)) {
            throw new ConnectionFault(Fault.FLOW_CONTROL, "a connection window of more than 2147483647");
        }
    }

    // ---- with the lock, for the streams

    /** A stream's window may be open again. */
    void reopened(StreamOutput out) {
        if (!out.hasHead() && out.hasBody() && out.window.available() > 0) {
            schedule().ready(out);
        }
    }

    /** Nothing is sent for it any more. */
    void forget(StreamOutput out) {
        if (schedule != null) {
            schedule.remove(out);
        }
    }

    /** There are no streams: memory for their order is not needed. */
    void shrink() {
        schedule = null;
        heads = null;
    }

    /** Does it wait for a window? */
    boolean isWaiting(StreamOutput out) {
        return out.window.isBlocked() || window.isBlocked() && out.isScheduled();
    }

    /** The same, since before this time. */
    boolean isOverdue(StreamOutput out, long since) {
        return out.window.isOverdue(since) || window.isOverdue(since) && out.isScheduled();
    }

    /** The stream goes before others, or behind them. */
    synchronized void prioritize(MuxStream stream, Priority priority) {
        if (schedule != null) {
            schedule.move(stream.out(), priority);
        } else {
            stream.out().priority = priority;
        }
    }

    interface Frame {
        void put(Batch to);
    }

    /** What has no body and can't wait; with the lock. A failure closes the connection, as half a frame must not be followed by anything. */
    void say(Frame frame) {
        control = pump.isWriting() ? control + 1 : 0;
        try {
            frame.put(pump.open());
        } catch (Throwable error) {
            pump.breakOff(error);
        }
    }

    /** Does the peer not take what it has asked for? */
    synchronized boolean isCongested() {
        return pump.isWriting() && control >= MAX_CONTROL;
    }

    /** Runs this when the peer has taken something. False, and it is not kept, if it has. */
    synchronized boolean awaitRoom(Runnable action) {
        return pump.awaitRoom(action);
    }

    // ---- what the pump asks for

    @Override
    public void fill(Batch batch) {
        try {
            fillUp(batch);
        } catch (Throwable error) {
            pump.breakOff(error);
        }
    }

    @Override
    public boolean hasMore() {
        return heads != null && !heads.isEmpty() || schedule != null && !schedule.isEmpty();
    }

    @Override
    public boolean areOthersSending() {
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
            Schedule mine = schedule; // the last stream's end drops it
            switch (sendFrame(out, batch)) {
                case MORE -> mine.sent(out);
                case DONE, BLOCKED -> mine.sentLast(out);
                case FULL -> {
                    noteWindow();
                    return;
                }
            }
        }
    }

    /** With the lock. */
    void toTell(StreamOutput out) {
        StreamOutput last = lastToTell;
        if (last == null) {
            firstToTell = out;
        } else {
            last.nextToTell = out;
        }
        lastToTell = out;
    }

    @Override
    public boolean tell() {
        StreamOutput next;
        synchronized (this) {
            next = firstToTell;
            firstToTell = null;
            lastToTell = null;
        }
        boolean any = next != null;
        while (next != null) {
            StreamOutput out = next;
            next = out.nextToTell;
            out.nextToTell = null;
            try {
                out.tell();
            } catch (Throwable error) { // the others are told all the same
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

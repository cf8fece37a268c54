package io.millrace.protocol.mux;

import io.millrace.http.Headers;
import io.millrace.http.ResponseHead;
import io.millrace.http.Status;
import io.millrace.io.Completion;
import io.millrace.io.Payload;
import io.millrace.protocol.ResetReason;
import io.millrace.protocol.StreamResetException;
import io.millrace.protocol.mux.AbuseMeter.Verdict;
import io.millrace.protocol.mux.MuxState.Event;
import io.millrace.protocol.mux.StreamOutput.Progress;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a connection of many streams sends, in which order, and which streams there are. Its monitor is the output lock: it
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

    /** Of the ping by which a drain learns that the peer has seen the first GOAWAY; even, for SPDY. */
    static final long DRAIN_PING = 0x6472_6169L & ~1L;

    private final MuxConnection connection;
    private final FrameWriter writer;
    private final MuxOptions options;
    private final OutputPump pump;

    // guarded by this
    private final StreamTable<MuxStream> streams = new StreamTable<>();
    private final AbuseMeter meter = new AbuseMeter(System.nanoTime());
    private final FlowWindow window = new FlowWindow(MuxOptions.USUAL_WINDOW);
    private @Nullable Schedule schedule;
    private @Nullable ArrayDeque<StreamOutput> heads;
    private @Nullable StreamOutput firstToTell;
    private @Nullable StreamOutput lastToTell;
    private MuxState state = MuxState.OPEN;
    private int initialWindow = MuxOptions.USUAL_WINDOW;
    private int running;
    private int control;
    private long emptySince = System.nanoTime();

    /** When the connection's window was found closed, while something waits for it. */
    private long blockedSince;

    private boolean blocked;

    MuxOutput(MuxConnection connection, FrameWriter writer) {
        this.connection = connection;
        this.writer = writer;
        options = connection.context().options();
        pump = new OutputPump(
                connection.transport(),
                connection.dispatcher().turns(),
                connection.context().guard(connection.channel().timers()),
                connection.context().writers(),
                this,
                this);
    }

    OutputPump pump() {
        return pump;
    }

    // ---- streams

    /** The open stream of this id; null if there is none. */
    synchronized @Nullable MuxStream find(int id) {
        return streams.find(id);
    }

    /** Has no stream of this id, or a higher one, been opened? */
    synchronized boolean isUnused(int id) {
        return id > streams.last();
    }

    /** How a stream ended that is not open; null if nobody knows. */
    synchronized @Nullable StreamState howClosed(int id) {
        return streams.howClosed(id);
    }

    /** Are there streams that ended so long ago that nobody knows how? */
    synchronized boolean hasForgotten() {
        return streams.hasForgotten();
    }

    synchronized MuxState state() {
        return state;
    }

    /** Does any exchange run, or is any stream open? */
    synchronized boolean isEmpty() {
        return running == 0 && streams.size() == 0;
    }

    /** Since when there is none. */
    synchronized long emptySince() {
        return emptySince;
    }

    /** Opens a stream; null if there are too many, and then it is reset, or if none is served any more. */
    synchronized @Nullable MuxStream open(MuxStream.Opening opening) throws ConnectionFault {
        if (!state.isServing()) {
            return null;
        }
        if (running >= options.maxConcurrentStreams() || streams.size() / 2 >= options.maxConcurrentStreams()) {
            streams.skip(opening.id(), StreamState.RESET_BY_US);
            writer.reset(opening.id(), Fault.REFUSED, controlBatch());
            countReset();
            return null;
        }
        MuxStream stream = new MuxStream(connection, opening, initialWindow);
        streams.open(stream);
        running++;
        return stream;
    }

    /** What is to be done with a new request? */
    synchronized Verdict verdict() {
        return meter.resets(System.nanoTime());
    }

    /** A stream was reset before its response was whole, by a fault of its peer's. */
    private void countReset() throws ConnectionFault {
        if (meter.reset(System.nanoTime()) == Verdict.STOP) {
            throw new ConnectionFault(
                    Fault.CALM,
                    "more streams reset than " + AbuseMeter.MAX_RESETS + " and then " + AbuseMeter.RESETS_PER_SECOND
                            + " a second");
        }
    }

    /** A frame came that says nothing. */
    synchronized void glitch() throws ConnectionFault {
        if (meter.glitch(System.nanoTime()) == Verdict.STOP) {
            throw new ConnectionFault(
                    Fault.CALM,
                    "more frames without effect than " + AbuseMeter.MAX_GLITCHES + " and then "
                            + AbuseMeter.GLITCHES_PER_SECOND + " a second");
        }
    }

    /** The peer has ended its side of a stream. */
    synchronized void peerEnded(MuxStream stream) {
        if (stream.move(StreamState.Event.PEER_END)) {
            ended(stream);
        }
    }

    /** We have ended ours. With the lock. */
    void ownEnded(MuxStream stream) {
        if (stream.move(StreamState.Event.OWN_END)) {
            ended(stream);
        }
    }

    /** The peer resets a stream. False if it is not open. Then {@link MuxStream#lost}, without the lock. */
    synchronized boolean peerReset(MuxStream stream, Throwable why) throws ConnectionFault {
        boolean whole = stream.out().isEnded();
        if (!stream.move(StreamState.Event.PEER_RESET)) {
            return false;
        }
        fail(stream, why);
        if (!whole) {
            countReset();
        }
        return true;
    }

    /** The peer broke a rule on a stream: it is reset. As {@link #peerReset}. */
    synchronized boolean fault(MuxStream stream, Fault fault, Throwable why) throws ConnectionFault {
        if (!reset(stream, fault, why)) {
            return false;
        }
        countReset();
        return true;
    }

    /** A request that breaks a rule is reset before its stream was opened. */
    synchronized void refuseNew(int id, Fault fault) throws ConnectionFault {
        streams.skip(id, StreamState.RESET_BY_US);
        refuse(id, fault);
    }

    /** The peer sends nothing more: those who wait for it wait in vain. */
    void peerGone() {
        List<MuxStream> open;
        synchronized (this) {
            open = all();
        }
        for (MuxStream each : open) {
            StreamInput in = each.in();
            if (in != null) {
                in.cut();
            }
        }
    }

    /** A frame for a stream that is not open any more is answered. */
    synchronized void refuse(int id, Fault fault) throws ConnectionFault {
        writer.reset(id, fault, controlBatch());
        countReset();
    }

    /** We reset a stream. With the lock; false if it is not open. */
    private boolean reset(MuxStream stream, Fault fault, Throwable why) {
        if (state == MuxState.CLOSED || !stream.move(StreamState.Event.OWN_RESET)) {
            return false;
        }
        writer.reset(stream.id(), fault, controlBatch());
        fail(stream, why);
        return true;
    }

    private void fail(MuxStream stream, Throwable why) {
        if (schedule != null) {
            schedule.remove(stream.out());
        }
        stream.out().fail(why);
        ended(stream);
    }

    private void ended(MuxStream stream) {
        if (stream.isOver()) {
            streams.remove(stream, stream.state());
            empty();
        }
    }

    private void empty() {
        if (running == 0 && streams.size() == 0) {
            emptySince = System.nanoTime();
            schedule = null;
            heads = null;
            endIfLast();
        }
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
        boolean taken;
        synchronized (this) {
            StreamOutput out = stream.out();
            taken = out.give(head, body, last, completion);
            if (taken) {
                if (head != null) {
                    checkSize(out, head);
                    reconsider(stream, head);
                }
                advance(out);
            }
        }
        if (!taken) {
            completion.done(stream.failure());
        }
        tell();
        pump.flushSoon();
    }

    /** The client would refuse such a head, or a proxy before it, and nobody would know why: an error instead. */
    private void checkSize(StreamOutput out, ResponseHead head) {
        Headers fields = head.headers();
        int size = 0;
        for (int i = 0; i < fields.size(); i++) {
            size += fields.name(i).length() + fields.value(i).length();
        }
        if (size > options.maxResponseHeaderSize()) {
            connection.context().noteHeadTooLarge(size);
            out.replaceHead(Status.INTERNAL_SERVER_ERROR);
        }
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
            reset(
                    out.stream,
                    Fault.INTERNAL,
                    new IOException("the response is shorter than its Content-Length announced"));
            return;
        }
        if (out.hasHead()) {
            if (pump.isFull()) {
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
            progress = out.send(writer, window, batch);
        } while (progress == Progress.MORE);
        if (progress == Progress.FULL) {
            blocked &= !schedule().isEmpty();
            schedule().ready(out);
            noteWindow();
        }
    }

    private Schedule schedule() {
        if (schedule == null) {
            schedule = new Schedule();
        }
        return schedule;
    }

    private void noteWindow() {
        if (!blocked && window.available() == 0) {
            blocked = true;
            blockedSince = System.nanoTime();
            connection.sweep().watch();
        }
    }

    /** An interim response. Nobody needs one, so it is dropped where the peer does not take what it asked for. */
    void inform(MuxStream stream, int status, Headers fields) {
        synchronized (this) {
            if (stream.isOwnOpen() && stream.out().isIdle() && !isCongested()) {
                writer.interim(stream.id(), status, fields, controlBatch());
            }
        }
        pump.flushSoon();
    }

    /** The peer may send more of a body. */
    void grant(MuxStream stream, int octets) {
        synchronized (this) {
            if (!stream.isPeerOpen() || state == MuxState.CLOSED) {
                return;
            }
            writer.credit(stream.id(), octets, controlBatch());
        }
        pump.flushSoon();
    }

    /** The exchange is over: the response was sent whole. What is left of the request is not wanted. */
    void end(MuxStream stream) {
        synchronized (this) {
            if (stream.isOwnOpen()) {
                reset(stream, Fault.INTERNAL, new IOException("the exchange ended before its response"));
            } else if (stream.isPeerOpen()) {
                reset(stream, Fault.NONE, new IOException("the exchange is over")); // RFC 9113, 8.1
            }
            exchangeOver(stream);
        }
        stream.discard();
        tell();
        pump.flushSoon();
    }

    /** The exchange is given up. Any number of times. */
    void abort(MuxStream stream, @Nullable Throwable cause) {
        ResetReason reason = cause == null ? ResetReason.CANCEL : ResetReason.of(cause);
        Throwable why = cause == null ? new StreamResetException(reason, "the exchange was given up") : cause;
        boolean reset;
        ConnectionFault beyond = null;
        synchronized (this) {
            reset = reset(stream, Fault.of(reason), why);
            try {
                if (reset && reason == ResetReason.PROTOCOL) {
                    countReset();
                }
            } catch (ConnectionFault calm) {
                beyond = calm;
            }
            exchangeOver(stream);
        }
        if (reset) {
            stream.lost(why);
        }
        stream.discard();
        if (beyond != null) {
            fault(beyond);
        }
        tell();
        pump.flushSoon();
    }

    private void exchangeOver(MuxStream stream) {
        if (stream.leave()) {
            running--;
            empty();
        }
    }

    // ---- what the protocol itself says; flushed when the reader is done

    /** The connection begins. */
    synchronized void start() {
        writer.start(pump.open());
        int more = options.connectionWindow() - MuxOptions.USUAL_WINDOW;
        if (more > 0) {
            writer.credit(0, more, pump.open());
        }
    }

    /** The peer may send more on the whole connection. */
    synchronized void grant(int octets) {
        writer.credit(0, octets, controlBatch());
    }

    synchronized void ping(long payload) {
        writer.ping(payload, true, controlBatch());
    }

    /** The peer has opened a window: a stream's or, with 0, the connection's. */
    synchronized void credit(int id, int increment) throws ConnectionFault {
        if (id == 0) {
            if (!window.add(increment)) {
                throw new ConnectionFault(Fault.FLOW_CONTROL, "a connection window of more than 2147483647");
            }
            blocked &= window.available() == 0;
            return;
        }
        MuxStream stream = streams.find(id);
        if (stream == null) {
            return;
        }
        if (stream.out().window.add(increment)) {
            reopened(stream);
        } else {
            connection.toLose(stream); // first, as it is no stream of ours any more if this was one fault too many
            fault(stream, Fault.FLOW_CONTROL, new IOException("the peer opened a window to more than 2147483647"));
        }
    }

    private void reopened(MuxStream stream) {
        StreamOutput out = stream.out();
        out.unblock();
        if (!out.hasHead() && out.hasBody() && out.window.available() > 0) {
            schedule().ready(out);
        }
    }

    /** The peer's settings hold, which it is told. */
    synchronized void apply(PeerSettings settings) throws ConnectionFault {
        writer.apply(settings);
        if (settings.initialWindow() != PeerSettings.UNSAID) {
            long difference = (long) settings.initialWindow() - initialWindow;
            initialWindow = settings.initialWindow();
            List<MuxStream> open = all();
            for (MuxStream each : open) {
                if (!each.out().window.shift(difference)) {
                    throw new ConnectionFault(Fault.FLOW_CONTROL, "an initial window that opens one beyond 2147483647");
                }
                reopened(each);
            }
        }
        writer.settingsAck(controlBatch());
    }

    private List<MuxStream> all() {
        List<MuxStream> all = new ArrayList<>(streams.size());
        streams.forEach(all::add);
        return all;
    }

    /** The stream goes before others, or behind them. */
    synchronized void prioritize(MuxStream stream, Priority priority) {
        if (schedule != null) {
            schedule.move(stream.out(), priority);
        } else {
            stream.out().priority = priority;
        }
    }

    private Batch controlBatch() {
        control = pump.isWriting() ? control + 1 : 0;
        return pump.open();
    }

    /** Does the peer not take what it has asked for? */
    synchronized boolean isCongested() {
        return pump.isWriting() && control >= MAX_CONTROL;
    }

    /** Runs this when the peer has taken something. False, and it is not kept, if it has. */
    synchronized boolean awaitRoom(Runnable action) {
        return pump.awaitRoom(action);
    }

    // ---- the end

    /** The peer is to open no more streams; which is the last is said later, when it has seen this. False if it was told. */
    boolean drain() {
        synchronized (this) {
            if (!move(Event.DRAIN)) {
                return false;
            }
            writer.goAway(Integer.MAX_VALUE, Fault.NONE, controlBatch());
            writer.ping(DRAIN_PING, false, controlBatch());
        }
        pump.flushElsewhere();
        return true;
    }

    /** The peer opens no more streams, or is to open none: when those that are open have ended, so does the connection. */
    void last() {
        synchronized (this) {
            if (!move(Event.LAST)) {
                return;
            }
            writer.goAway(streams.last(), Fault.NONE, controlBatch());
            endIfLast();
        }
        pump.flushElsewhere();
    }

    private void endIfLast() {
        if (state == MuxState.LAST && running == 0 && streams.size() == 0 && move(Event.EMPTY)) {
            pump.finish();
        }
    }

    /** The peer broke a rule of the connection: it is told so, and everything ends. */
    void fault(ConnectionFault fault) {
        List<MuxStream> lost;
        synchronized (this) {
            if (!move(Event.FAULT)) {
                return;
            }
            writer.goAway(streams.last(), fault.fault(), pump.open());
            pump.finish();
            lost = failAll(fault);
        }
        connection.context().note(fault, connection.transport().channel().info().remote());
        lose(lost, fault);
        pump.flushElsewhere();
    }

    /** The connection is closed. */
    void close(@Nullable Throwable cause) {
        Throwable why = cause == null ? new IOException("the connection is closed") : cause;
        List<MuxStream> lost;
        synchronized (this) {
            move(Event.CLOSE);
            pump.close();
            lost = failAll(why);
        }
        lose(lost, why);
        pump.flush();
    }

    private List<MuxStream> failAll(Throwable why) {
        List<MuxStream> open = all();
        for (MuxStream each : open) {
            each.move(StreamState.Event.OWN_RESET);
            fail(each, why);
        }
        return open;
    }

    private void lose(List<MuxStream> streams, Throwable why) {
        for (MuxStream each : streams) {
            lose(each, why);
        }
        tell();
    }

    /** An error of one of those who are told keeps no other from being told. */
    void lose(MuxStream stream, Throwable why) {
        try {
            stream.lost(why);
        } catch (Throwable error) {
            connection.failed(error);
        }
    }

    /** Runs what streams have for a drain. */
    void tellDrain() {
        List<MuxStream> open;
        synchronized (this) {
            open = all();
        }
        open.forEach(MuxStream::drain);
    }

    private boolean move(Event event) {
        MuxState to = MuxState.next(state, event);
        state = to == null ? state : to;
        return to != null;
    }

    // ---- timeouts

    /** Those streams whose peer is too slow are given up. True if others wait for it still. */
    boolean sweep(long now) {
        List<MuxStream> all;
        List<MuxStream> stalled = new ArrayList<>();
        boolean waiting = false;
        long limit = MuxConnection.nanos(options.streamWriteTimeout());
        IOException why = new StreamResetException(
                ResetReason.TIMEOUT, "its window stayed closed for " + options.streamWriteTimeout());
        synchronized (this) {
            all = all();
            boolean overdue = blocked && blockedSince - (now - limit) < 0;
            for (MuxStream each : all) {
                StreamOutput out = each.out();
                waiting |= out.isBlocked() || blocked && out.isScheduled();
                if ((out.isOverdue(now - limit) || overdue && out.isScheduled()) && reset(each, Fault.CANCEL, why)) {
                    stalled.add(each);
                }
            }
        }
        lose(stalled, why);
        for (MuxStream each : all) {
            waiting |= each.sweep(now);
        }
        pump.flushElsewhere();
        return waiting;
    }

    // ---- what the pump asks for

    @Override
    public void fill(Batch batch) {
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
            switch (out.send(writer, window, batch)) {
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
        synchronized (this) {
            move(Event.SENT);
        }
        connection.linger(failure);
    }
}

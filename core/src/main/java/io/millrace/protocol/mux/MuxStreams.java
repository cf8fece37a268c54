package io.millrace.protocol.mux;

import io.millrace.protocol.ResetReason;
import io.millrace.protocol.mux.AbuseMeter.Verdict;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The streams of a connection: which are open, how the others ended, how many exchanges run, and what their peer may still cost.
 * Guarded by the connection's output lock, the monitor of {@link MuxOutput}; methods that say so are called with it, the others
 * take it. Any thread.
 */
final class MuxStreams {

    private final MuxConnection connection;
    private final MuxOutput output;
    private final FrameWriter writer;
    private final AbuseMeter meter;

    // guarded by the output lock
    private final StreamTable<MuxStream> streams = new StreamTable<>();
    private int initialWindow;
    private int running;
    private long emptySince = System.nanoTime();

    MuxStreams(MuxConnection connection, MuxOutput output, FrameWriter writer, AbuseMeter meter) {
        this.connection = connection;
        this.output = output;
        this.writer = writer;
        this.meter = meter;
        initialWindow = writer.firstWindow();
    }

    // ---- which there are

    /** The open stream of this id; null if there is none. */
    @Nullable
    MuxStream find(int id) {
        synchronized (output) {
            return streams.find(id);
        }
    }

    /** Has no stream of this id, or a higher one, been opened? */
    boolean isUnused(int id) {
        synchronized (output) {
            return streams.isUnused(id);
        }
    }

    /** The highest id that was opened; 0 if none was. With the lock. */
    int last() {
        return streams.last();
    }

    /** The id of the next stream that we push. With the lock. */
    int nextPushed() {
        return streams.lastPushed() + 2;
    }

    /** How a stream ended that is not open; null if nobody knows. */
    @Nullable
    StreamState howClosed(int id) {
        synchronized (output) {
            return streams.howClosed(id);
        }
    }

    /** Are there streams that ended so long ago that nobody knows how? */
    boolean hasForgotten() {
        synchronized (output) {
            return streams.hasForgotten();
        }
    }

    /** Does no exchange run, and is no stream open? */
    boolean isEmpty() {
        synchronized (output) {
            return running == 0 && streams.size() == 0;
        }
    }

    /** Since when there is none. */
    long emptySince() {
        synchronized (output) {
            return emptySince;
        }
    }

    /** Those that are open, in any order. With the lock. */
    List<MuxStream> all() {
        List<MuxStream> all = new ArrayList<>(streams.size());
        streams.forEach(all::add);
        return all;
    }

    /** Are there as many exchanges, or twice as many streams? With the lock. */
    boolean areMore(int most) {
        return running >= most || streams.size() / 2 >= most;
    }

    /** How many exchanges run. With the lock. */
    int running() {
        return running;
    }

    /** How much a new stream may send at first. With the lock. */
    int initialWindow() {
        return initialWindow;
    }

    /** A stream begins. With the lock. */
    void open(MuxStream stream) {
        streams.open(stream);
        meter.opened();
        running++;
    }

    // ---- what they cost

    /** What is to be done with a new request? */
    Verdict verdict() {
        synchronized (output) {
            return meter.resets(System.nanoTime());
        }
    }

    /** A frame came that says nothing, unless what was sent accounts for it. */
    void glitchUnlessEarned() throws ConnectionFault {
        synchronized (output) {
            if (!meter.spend()) {
                meter.countGlitch();
            }
        }
    }

    /** A frame came that says nothing. */
    void glitch() throws ConnectionFault {
        synchronized (output) {
            meter.countGlitch();
        }
    }

    // ---- how they end

    /** The peer has ended its side of a stream. */
    void peerEnded(MuxStream stream) {
        synchronized (output) {
            if (stream.move(StreamState.Event.PEER_END)) {
                ended(stream);
            }
        }
    }

    /** We have ended ours. With the lock. */
    void ownEnded(MuxStream stream) {
        if (stream.move(StreamState.Event.OWN_END)) {
            ended(stream);
        }
    }

    /** The peer resets a stream. Then {@link MuxStream#lost}, without the lock. */
    void peerReset(MuxStream stream, Throwable why) throws ConnectionFault {
        synchronized (output) {
            boolean whole = stream.out().isEnded();
            if (stream.move(StreamState.Event.PEER_RESET)) {
                fail(stream, why);
                if (!whole && stream.isPeersRequest()) {
                    meter.countReset();
                }
            }
        }
    }

    /** The peer broke a rule on a stream: it is reset. As {@link #peerReset}. */
    void fault(MuxStream stream, Fault fault, Throwable why) throws ConnectionFault {
        synchronized (output) {
            if (reset(stream, fault, why)) {
                meter.countReset();
            }
        }
    }

    /** A request that breaks a rule is reset before its stream was opened. */
    void refuseNew(int id, Fault fault) throws ConnectionFault {
        synchronized (output) {
            streams.skip(id, StreamState.RESET_BY_US);
            meter.interrupted();
            refuse(id, fault);
        }
    }

    /** A frame for a stream that is not open any more is answered. */
    void refuse(int id, Fault fault) throws ConnectionFault {
        synchronized (output) {
            output.say(to -> writer.reset(id, fault, to));
            meter.countReset();
        }
    }

    /** We reset a stream. As {@link #peerReset}; false if it is not open. */
    boolean reset(MuxStream stream, Fault fault, Throwable why) {
        synchronized (output) {
            boolean sending = stream.isPeerOpen();
            if (connection.shutdown().state() == MuxState.CLOSED || !stream.move(StreamState.Event.OWN_RESET)) {
                return false;
            }
            if (sending) {
                meter.interrupted();
            }
            output.say(to -> writer.reset(stream.id(), fault, to));
            fail(stream, why);
            return true;
        }
    }

    private void fail(MuxStream stream, Throwable why) {
        output.forget(stream.out());
        stream.out().fail(why);
        ended(stream);
    }

    /** All of them end with the connection. With the lock; then {@link #lose}, without. */
    List<MuxStream> failAll(Throwable why) {
        List<MuxStream> open = all();
        for (MuxStream each : open) {
            each.move(StreamState.Event.OWN_RESET);
            fail(each, why);
        }
        return open;
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
            output.shrink();
            connection.shutdown().endIfLast();
        }
    }

    /** The exchange is over: the response was sent whole. What is left of the request is not wanted. */
    void end(MuxStream stream) {
        boolean rest;
        synchronized (output) {
            if (stream.isOwnOpen()) {
                reset(stream, Fault.INTERNAL, new IOException("the exchange ended before its response"));
            } else if (!connection.shutdown().state().isServing() || !stream.isRestGranted()) {
                endRest(stream);
            }
            rest = stream.isPeerOpen();
            exchangeOver(stream);
        }
        stream.over();
        tell(stream, false);
        if (rest) {
            connection.sweep().watch();
        }
    }

    /** A client has read the response whole: what is left of the request is not sent. */
    void answered(MuxStream stream) {
        boolean left;
        synchronized (output) {
            reset(stream, Fault.CANCEL, new IOException("the response was whole before the request"));
            left = exchangeOver(stream);
        }
        tell(stream, left);
    }

    /** The response was sent, and the rest of the request's body is not wanted any more (RFC 9113, 8.1). */
    void endRest(MuxStream stream) {
        synchronized (output) {
            if (stream.isPeerOpen()) {
                reset(stream, Fault.NONE, new IOException("the exchange is over"));
            }
        }
    }

    /** The exchange is given up, for a reason that the peer is told. Any number of times. */
    void abort(MuxStream stream, ResetReason reason, Throwable why) {
        boolean reset;
        boolean left;
        ConnectionFault beyond = null;
        synchronized (output) {
            reset = reset(stream, Fault.of(reason), why);
            try {
                if (reset && reason == ResetReason.PROTOCOL) {
                    meter.countReset();
                }
            } catch (ConnectionFault calm) {
                beyond = calm;
            }
            left = exchangeOver(stream);
        }
        if (reset) {
            lose(stream, why);
        }
        stream.discard();
        if (beyond != null) {
            connection.shutdown().fault(beyond);
        }
        tell(stream, left);
    }

    /** After an exchange has ended. An error of who is told that it has left keeps no other from being told. Without the lock. */
    private void tell(MuxStream stream, boolean left) {
        try {
            if (left) {
                stream.onLeft();
            }
        } catch (Throwable error) {
            connection.failed(error);
        }
        output.tell();
        output.pump().flushSoon();
    }

    /** With the lock. False if it was. */
    private boolean exchangeOver(MuxStream stream) {
        boolean first = stream.leave();
        if (first) {
            running--;
            empty();
        }
        return first;
    }

    /** An error of one of those who are told keeps no other from being told. Without the lock. */
    void lose(MuxStream stream, Throwable why) {
        try {
            stream.lost(why);
        } catch (Throwable error) {
            connection.failed(error);
        }
    }

    /** The same for several. */
    void lose(List<MuxStream> lost, Throwable why) {
        for (MuxStream each : lost) {
            lose(each, why);
        }
        output.tell();
    }

    // ---- their windows

    /** The peer has opened a stream's window. False if it is too large then. */
    boolean credit(int id, int increment) {
        synchronized (output) {
            MuxStream stream = streams.find(id);
            if (stream == null) {
                return true;
            }
            boolean within = stream.out().window.add(increment);
            output.reopened(stream.out());
            return within;
        }
    }

    /** The peer's settings hold, which it is told. */
    void apply(PeerSettings settings) throws ConnectionFault {
        synchronized (output) {
            adopt(settings);
            output.say(writer::settingsAck);
        }
    }

    /** The peer's settings hold. */
    void adopt(PeerSettings settings) throws ConnectionFault {
        synchronized (output) {
            writer.apply(settings);
            if (settings.initialWindow() != PeerSettings.UNSAID) {
                shift(settings.initialWindow());
            }
        }
    }

    private void shift(int window) throws ConnectionFault {
        long difference = (long) window - initialWindow;
        initialWindow = window;
        List<MuxStream> all = all();
        all.sort(Comparator.comparingInt(MuxStream::id)); // who came first goes first
        for (MuxStream each : all) {
            if (!each.out().window.shift(difference)) {
                throw new ConnectionFault(Fault.FLOW_CONTROL, "an initial window that opens one beyond 2147483647");
            }
            output.reopened(each.out());
        }
    }
}

package io.millrace.protocol.mux;

import io.millrace.protocol.ResetReason;
import io.millrace.protocol.mux.AbuseMeter.Verdict;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The streams of a connection: those that are open, how others ended, and the number of running exchanges. Thread-safe;
 * guarded by the connection's {@link MuxLock}. Methods that say so are called with the lock
 * held; the others acquire it.
 */
final class MuxStreams {

    private final MuxConnection connection;
    private final MuxLock lock;
    private final MuxOutput output;
    private final FrameWriter writer;
    private final AbuseMeter meter;

    // guarded by the {@link MuxLock}
    private final StreamTable<MuxStream> streams = new StreamTable<>();
    private int initialWindow;
    private int running;

    /** Those of the running exchanges whose streams have ended in good order: the peer does not count them any more. */
    private int completed;

    private long emptySince = System.nanoTime();

    MuxStreams(MuxConnection connection, MuxOutput output, FrameWriter writer, AbuseMeter meter) {
        this.connection = connection;
        this.output = output;
        lock = connection.lock();
        this.writer = writer;
        this.meter = meter;
        initialWindow = writer.firstWindow();
    }

    // ---- lookup

    /** The open stream of this id; null if there is none. */
    @Nullable
    MuxStream find(int id) {
        synchronized (lock) {
            return streams.find(id);
        }
    }

    /** Whether neither this stream nor one with a higher id has been opened. */
    boolean isUnused(int id) {
        synchronized (lock) {
            return streams.isUnused(id);
        }
    }

    /** The highest id that was opened; 0 if there is none. Called with the lock held. */
    int last() {
        lock.assertHeld();
        return streams.last();
    }

    /** The id of the next stream that we push. Called with the lock held. */
    int nextPushed() {
        lock.assertHeld();
        return streams.lastPushed() + 2;
    }

    /** How a stream ended that is not open; null if unknown. */
    @Nullable
    StreamState howClosed(int id) {
        synchronized (lock) {
            return streams.howClosed(id);
        }
    }

    /** Whether it is unknown of some streams how they ended. */
    boolean hasForgotten() {
        synchronized (lock) {
            return streams.hasForgotten();
        }
    }

    /** Whether there is neither a running exchange nor an open stream. */
    boolean isEmpty() {
        synchronized (lock) {
            return running == 0 && streams.size() == 0;
        }
    }

    /** The {@link System#nanoTime} since which {@link #isEmpty} is true. */
    long emptySince() {
        synchronized (lock) {
            return emptySince;
        }
    }

    /** The open streams, in any order. Called with the lock held. */
    List<MuxStream> all() {
        lock.assertHeld();
        List<MuxStream> all = new ArrayList<>(streams.size());
        streams.forEach(all::add);
        return all;
    }

    /**
     * Whether there are this many running exchanges, or twice as many open streams. An exchange whose response was sent, but which has
     * not returned, does not count, as its stream has ended for the peer; there may be twice as many exchanges with those. Called with
     * the lock held.
     */
    boolean isAtLimit(int limit) {
        lock.assertHeld();
        return running - completed >= limit || running / 2 >= limit || streams.size() / 2 >= limit;
    }

    /** The number of running exchanges. Called with the lock held. */
    int running() {
        lock.assertHeld();
        return running;
    }

    /** The initial window of a new stream for output. Called with the lock held. */
    int initialWindow() {
        lock.assertHeld();
        return initialWindow;
    }

    /** Adds a new stream. Called with the lock held. */
    void open(MuxStream stream) {
        lock.assertHeld();
        streams.open(stream);
        meter.opened();
        running++;
    }

    // ---- limits against floods

    /** How to treat a new request. */
    Verdict verdict() {
        synchronized (lock) {
            return meter.resets(System.nanoTime());
        }
    }

    /** Counts a frame as a glitch, unless it may be a reaction to our output. */
    void glitchUnlessEarned() throws ConnectionFault {
        synchronized (lock) {
            if (!meter.spend()) {
                meter.countGlitch();
            }
        }
    }

    /** Counts a frame without effect. */
    void glitch() throws ConnectionFault {
        synchronized (lock) {
            meter.countGlitch();
        }
    }

    // ---- ends of streams

    /** Called when the peer has ended its side of a stream. */
    void peerEnded(MuxStream stream) {
        synchronized (lock) {
            if (stream.move(StreamState.Event.PEER_END)) {
                ended(stream);
            }
        }
    }

    /** Called with the lock held when our side of a stream has ended. */
    void ownEnded(MuxStream stream) {
        lock.assertHeld();
        if (stream.move(StreamState.Event.OWN_END)) {
            ended(stream);
        }
    }

    /** Called when the peer has reset a stream. The caller then calls {@link MuxStream#lost}, without the lock. */
    void peerReset(MuxStream stream, Throwable why) throws ConnectionFault {
        synchronized (lock) {
            boolean whole = stream.out().isEnded();
            if (stream.move(StreamState.Event.PEER_RESET)) {
                fail(stream, why);
                if (stream.isHeldBack()) {
                    meter.countGlitch(); // it has caused no work
                } else if (!whole && stream.isPeersRequest()) {
                    meter.countReset();
                }
            }
        }
    }

    /** Resets a stream because of a violation by the peer. The caller then calls {@link MuxStream#lost}. */
    void fault(MuxStream stream, Fault fault, Throwable why) throws ConnectionFault {
        synchronized (lock) {
            if (reset(stream, fault, why)) {
                meter.countReset();
            }
        }
    }

    /** Resets a stream instead of opening it. */
    void refuseNew(int id, Fault fault) throws ConnectionFault {
        synchronized (lock) {
            streams.skip(id, StreamState.RESET_BY_US);
            meter.interrupted();
            refuse(id, fault);
        }
    }

    /** Sends a reset for a stream that is not open. */
    void refuse(int id, Fault fault) throws ConnectionFault {
        synchronized (lock) {
            output.sendControl(to -> writer.reset(id, fault, to));
            meter.countReset();
        }
    }

    /** Resets a stream. False if it is not open; otherwise, the caller then calls {@link MuxStream#lost}. */
    boolean reset(MuxStream stream, Fault fault, Throwable why) {
        synchronized (lock) {
            boolean sending = stream.isPeerOpen();
            if (connection.shutdown().state() == MuxState.CLOSED || !stream.move(StreamState.Event.OWN_RESET)) {
                return false;
            }
            if (sending) {
                meter.interrupted();
            }
            output.sendControl(to -> writer.reset(stream.id(), fault, to));
            fail(stream, why);
            return true;
        }
    }

    private void fail(MuxStream stream, Throwable why) {
        lock.assertHeld();
        output.forget(stream.out());
        stream.out().fail(why);
        ended(stream);
    }

    /** Ends all streams with the connection. Called with the lock held; the caller then calls {@link #lose} without it. */
    List<MuxStream> failAll(Throwable why) {
        lock.assertHeld();
        List<MuxStream> open = all();
        for (MuxStream each : open) {
            each.move(StreamState.Event.OWN_RESET);
            fail(each, why);
        }
        return open;
    }

    private void ended(MuxStream stream) {
        lock.assertHeld();
        if (stream.isOver()) {
            if (stream.state() == StreamState.CLOSED && !stream.isExchangeOver()) {
                completed++;
            }
            streams.remove(stream, stream.state());
            empty();
        }
    }

    private void empty() {
        lock.assertHeld();
        if (running == 0 && streams.size() == 0) {
            emptySince = System.nanoTime();
            output.shrink();
            connection.shutdown().endIfLast();
        }
    }

    /** Ends the exchange after its complete response; the rest of the request is discarded. */
    void end(MuxStream stream) {
        boolean rest;
        synchronized (lock) {
            if (stream.isOwnOpen()) {
                reset(stream, Fault.INTERNAL, new IOException("the exchange ended before its response was complete"));
            } else if (!connection.shutdown().state().isServing() || !stream.isRestGranted()) {
                endRest(stream);
            }
            rest = stream.isPeerOpen();
            exchangeOver(stream);
        }
        stream.detach();
        notifyEnd(stream, false);
        if (rest) {
            connection.sweep().watch();
        }
    }

    /** Ends a client's exchange after it has read the complete response; the rest of the request is not sent. */
    void answered(MuxStream stream) {
        boolean left;
        synchronized (lock) {
            reset(stream, Fault.CANCEL, new IOException("the response was complete before the request"));
            left = exchangeOver(stream);
        }
        notifyEnd(stream, left);
    }

    /** Stops the peer from sending the rest of the request's body, after the complete response (RFC 9113, 8.1). */
    void endRest(MuxStream stream) {
        synchronized (lock) {
            if (stream.isPeerOpen()) {
                reset(stream, Fault.NONE, new IOException("the exchange has ended"));
            }
        }
    }

    /** Aborts the exchange, and reports the reason to the peer. May be called more than once. True if that has reset the stream. */
    boolean abort(MuxStream stream, ResetReason reason, Throwable why) {
        boolean reset;
        boolean left;
        ConnectionFault beyond = null;
        synchronized (lock) {
            reset = reset(stream, Fault.of(reason), why);
            try {
                if (reset && reason == ResetReason.PROTOCOL) {
                    meter.countReset();
                }
            } catch (ConnectionFault tooMany) {
                beyond = tooMany;
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
        notifyEnd(stream, left);
        return reset;
    }

    /** Notifies after the end of an exchange. An exception must not prevent other notifications. Called without the lock. */
    private void notifyEnd(MuxStream stream, boolean left) {
        try {
            if (left) {
                stream.onExchangeOver();
            }
        } catch (Throwable error) {
            connection.failed(error);
        }
        output.runCompletions();
        output.pump().flushSoon();
    }

    /** Called with the lock held. False if it had ended before. */
    private boolean exchangeOver(MuxStream stream) {
        lock.assertHeld();
        boolean first = stream.endExchange();
        if (first) {
            running--;
            if (stream.state() == StreamState.CLOSED) {
                completed--;
            }
            empty();
        }
        return first;
    }

    /** Notifies a stream that it was lost. An exception must not prevent other notifications. Called without the lock. */
    void lose(MuxStream stream, Throwable why) {
        try {
            stream.lost(why);
        } catch (Throwable error) {
            connection.failed(error);
        }
    }

    /** Notifies several streams. */
    void lose(List<MuxStream> lost, Throwable why) {
        for (MuxStream each : lost) {
            lose(each, why);
        }
        output.runCompletions();
    }

    // ---- windows

    /** Applies the peer's window update for a stream. False if the window would be too large. */
    boolean credit(int id, int increment) {
        synchronized (lock) {
            MuxStream stream = streams.find(id);
            if (stream == null) {
                return true;
            }
            boolean within = stream.out().window.add(increment);
            output.reopened(stream.out());
            return within;
        }
    }

    /** Applies and acknowledges the peer's settings. */
    void apply(PeerSettings settings) throws ConnectionFault {
        synchronized (lock) {
            adopt(settings);
            output.sendControl(writer::settingsAck);
        }
    }

    /** Applies the peer's settings. */
    void adopt(PeerSettings settings) throws ConnectionFault {
        synchronized (lock) {
            writer.apply(settings);
            if (settings.initialWindow() != PeerSettings.UNSAID) {
                shift(settings.initialWindow());
            }
        }
    }

    private void shift(int window) throws ConnectionFault {
        lock.assertHeld();
        long difference = (long) window - initialWindow;
        initialWindow = window;
        List<MuxStream> all = all();
        all.sort(Comparator.comparingInt(MuxStream::id)); // the oldest first
        for (MuxStream each : all) {
            if (!each.out().window.shift(difference)) {
                throw new ConnectionFault(
                        Fault.FLOW_CONTROL, "an initial window that raises a stream's window above 2147483647");
            }
            output.reopened(each.out());
        }
    }
}

package io.millrace.protocol.mux;

import io.millrace.protocol.ResetReason;
import io.millrace.protocol.mux.MuxState.Event;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The streams of a connection: those that are open, how others ended, and the number of running exchanges; and the end of the
 * connection, which waits for theirs: a graceful shutdown, a violation by the peer, or a close ({@link MuxState}).
 * Thread-safe; guarded by the connection's {@link MuxLock}. Methods that say so are called with the lock held; the others
 * acquire it.
 */
final class MuxStreams {

    /** The payload of the ping whose acknowledgment shows that the peer has received the first GOAWAY; even, for SPDY. */
    static final long DRAIN_PING = 0x6472_6169L & ~1L;

    /** How long a draining connection waits for that acknowledgment. */
    private static final Duration DRAIN_NOTICE = Duration.ofMillis(500);

    private final MuxConnection connection;
    private final MuxLock lock;
    private final MuxOutput output;
    private final FrameWriter writer;
    private final AbuseMeter meter;

    // guarded by the lock
    private final StreamTable<MuxStream> streams = new StreamTable<>();
    private MuxState state = MuxState.OPEN;
    private boolean peerLeft;
    private int running;

    /** Those of the running exchanges whose streams have ended in good order: the peer does not count them any more. */
    private int completed;

    private long emptySince = System.nanoTime();

    MuxStreams(MuxConnection connection, FrameWriter writer) {
        this.connection = connection;
        this.writer = writer;
        lock = connection.lock();
        output = connection.output();
        meter = connection.meter();
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
    int highest() {
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

    /** Adds a new stream. Called with the lock held. */
    void open(MuxStream stream) {
        lock.assertHeld();
        streams.open(stream);
        connection.channel().meter().openStream();
        meter.opened();
        running++;
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
                connection.channel().meter().reset(true);
                fail(stream, why);
                if (stream.isHeldBack()) {
                    meter.countHeldBack(); // it has caused no work
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
            connection.channel().meter().reset(false);
            output.sendControl(to -> writer.reset(id, fault, to));
            meter.countReset();
        }
    }

    /** Resets a stream. False if it is not open; otherwise, the caller then calls {@link MuxStream#lost}. */
    boolean reset(MuxStream stream, Fault fault, Throwable why) {
        synchronized (lock) {
            boolean sending = stream.isPeerOpen();
            if (state == MuxState.CLOSED || !stream.move(StreamState.Event.OWN_RESET)) {
                return false;
            }
            if (sending) {
                meter.interrupted();
            }
            connection.channel().meter().reset(false);
            output.sendControl(to -> writer.reset(stream.id(), fault, to));
            fail(stream, why);
            return true;
        }
    }

    private void fail(MuxStream stream, Throwable why) {
        lock.assertHeld();
        output.fail(stream, why);
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
            if (stream.state() == StreamState.CLOSED) {
                meter.answered();
                completed += stream.isExchangeOver() ? 0 : 1;
            }
            if (streams.remove(stream, stream.state())) {
                connection.channel().meter().closeStream();
            }
            empty();
        }
    }

    private void empty() {
        lock.assertHeld();
        if (running == 0 && streams.size() == 0) {
            emptySince = System.nanoTime();
            output.shrink();
            endIfLast();
        }
    }

    /** Ends the exchange after its complete response; the rest of the request is discarded. */
    void end(MuxStream stream) {
        boolean rest;
        synchronized (lock) {
            if (stream.isOwnOpen()) {
                reset(stream, Fault.INTERNAL, new IOException("the exchange ended before its response was complete"));
            } else if (!state.isServing() || !stream.isRestGranted()) {
                endRest(stream);
            }
            rest = stream.isPeerOpen();
            exchangeOver(stream);
        }
        stream.detach();
        notifyEnd(stream, false);
        if (rest) {
            connection.watch();
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
            fault(beyond);
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

    // ---- the end of the connection

    /** The state of the connection. */
    MuxState state() {
        synchronized (lock) {
            return state;
        }
    }

    /** Asks the peer to open no more streams. A second GOAWAY, sent when it has received this one, names the last stream. */
    void drain() {
        synchronized (lock) {
            if (!move(Event.DRAIN)) {
                return;
            }
            output.sendControl(to -> writer.goAway(Integer.MAX_VALUE, Fault.NONE, to));
            output.sendControl(to -> writer.ping(DRAIN_PING, false, to));
        }
        output.pump().flushElsewhere();
        connection.channel().timers().schedule(this::acceptNoMore, DRAIN_NOTICE);
    }

    /** Accepts no more streams; the connection ends when the open ones have ended. */
    void acceptNoMore() {
        synchronized (lock) {
            if (!move(Event.LAST)) {
                return;
            }
            output.sendControl(to -> writer.goAway(connection.lastOfPeer(), Fault.NONE, to));
            all().stream().filter(MuxStream::isExchangeOver).forEach(this::endRest);
            endIfLast();
        }
        output.pump().flushElsewhere();
    }

    /**
     * The peer accepts no more streams of ours, and most likely leaves. Our GOAWAY is sent when its streams have ended:
     * some clients drop those that run when they receive it. The rest of a request's body is not waited for.
     */
    void peerLeaves() {
        synchronized (lock) {
            peerLeft = true;
            all().stream().filter(MuxStream::isExchangeOver).forEach(this::endRest);
            endIfLast();
        }
        output.pump().flushElsewhere();
    }

    /** Whether the peer accepts no more streams of ours. Called with the lock held. */
    boolean hasPeerLeft() {
        lock.assertHeld();
        return peerLeft;
    }

    /** Called with the lock held. */
    void endIfLast() {
        lock.assertHeld();
        if (peerLeft && isEmpty() && move(Event.LAST)) {
            output.sendControl(to -> writer.goAway(connection.lastOfPeer(), Fault.NONE, to));
        }
        if (state == MuxState.LAST && isEmpty() && move(Event.EMPTY)) {
            output.pump().finish();
        }
    }

    /** Reports a violation to the peer, and ends all streams. */
    void fault(ConnectionFault fault) {
        List<MuxStream> lost;
        synchronized (lock) {
            if (!move(Event.FAULT)) {
                return;
            }
            output.sendControl(to -> writer.goAway(connection.lastOfPeer(), fault.fault(), to));
            output.pump().finish();
            lost = failAll(fault);
        }
        connection.note(fault);
        lose(lost, fault);
        output.pump().flushElsewhere();
    }

    /** Called when the connection is closed. */
    void close(@Nullable Throwable cause) {
        Throwable why = cause == null ? new IOException("the connection is closed") : cause;
        List<MuxStream> lost;
        synchronized (lock) {
            move(Event.CLOSE);
            output.pump().close();
            lost = failAll(why);
        }
        lose(lost, why);
        output.pump().flush();
    }

    /** Fails reading of incomplete bodies, because the peer has ended its output. */
    void failOpenInputs() {
        List<MuxStream> open;
        synchronized (lock) {
            open = all();
        }
        for (MuxStream each : open) {
            StreamInput in = each.in();
            if (in != null) {
                in.cut();
            }
        }
    }

    /** Notifies all streams of the drain. */
    void notifyDrain() {
        List<MuxStream> open;
        synchronized (lock) {
            open = all();
        }
        open.forEach(MuxStream::drain);
    }

    private boolean move(Event event) {
        lock.assertHeld();
        MuxState to = MuxState.next(state, event);
        state = to == null ? state : to;
        return to != null;
    }

    /** Called when all output and our end were sent. */
    void sent() {
        synchronized (lock) {
            move(Event.SENT);
        }
    }
}

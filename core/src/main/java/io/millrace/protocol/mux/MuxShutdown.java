package io.millrace.protocol.mux;

import io.millrace.protocol.mux.MuxState.Event;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The end of a multiplexed connection: a graceful shutdown, a violation by the peer, or a close. {@link MuxState} describes
 * the states. Thread-safe; guarded by the connection's {@link MuxLock}.
 */
final class MuxShutdown {

    /** The payload of the ping whose acknowledgment shows that the peer has received the first GOAWAY; even, for SPDY. */
    static final long DRAIN_PING = 0x6472_6169L & ~1L;

    /** How long a draining connection waits for that acknowledgment. */
    private static final Duration DRAIN_NOTICE = Duration.ofMillis(500);

    private final MuxConnection connection;
    private final MuxLock lock;
    private final MuxOutput output;
    private final MuxStreams streams;
    private final FrameWriter writer;
    private MuxState state = MuxState.OPEN;
    private boolean peerLeft;

    MuxShutdown(MuxConnection connection, MuxOutput output, MuxStreams streams, FrameWriter writer) {
        this.connection = connection;
        this.output = output;
        lock = connection.lock();
        this.streams = streams;
        this.writer = writer;
    }

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
        connection.channel().timers().schedule(this::last, DRAIN_NOTICE);
    }

    /** Accepts no more streams; the connection ends when the open ones have ended. */
    void last() {
        synchronized (lock) {
            if (!move(Event.LAST)) {
                return;
            }
            output.sendControl(to -> writer.goAway(connection.lastOfPeer(), Fault.NONE, to));
            streams.all().stream().filter(MuxStream::isExchangeOver).forEach(streams::endRest);
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
            streams.all().stream().filter(MuxStream::isExchangeOver).forEach(streams::endRest);
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
        if (peerLeft && streams.isEmpty() && move(Event.LAST)) {
            output.sendControl(to -> writer.goAway(connection.lastOfPeer(), Fault.NONE, to));
        }
        if (state == MuxState.LAST && streams.isEmpty() && move(Event.EMPTY)) {
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
            lost = streams.failAll(fault);
        }
        connection.note(fault);
        streams.lose(lost, fault);
        output.pump().flushElsewhere();
    }

    /** Called when the connection is closed. */
    void close(@Nullable Throwable cause) {
        Throwable why = cause == null ? new IOException("the connection is closed") : cause;
        List<MuxStream> lost;
        synchronized (lock) {
            move(Event.CLOSE);
            output.pump().close();
            lost = streams.failAll(why);
        }
        streams.lose(lost, why);
        output.pump().flush();
    }

    /** Fails reading of incomplete bodies, because the peer has ended its output. */
    void failOpenInputs() {
        List<MuxStream> open;
        synchronized (lock) {
            open = streams.all();
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
            open = streams.all();
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

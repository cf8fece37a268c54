package io.millrace.protocol.mux;

import io.millrace.protocol.mux.MuxState.Event;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a connection of many streams ends: in good order, by a fault of its peer's, or because it is closed. {@link MuxState} says how far it is.
 * Guarded by the connection's output lock, the monitor of {@link MuxOutput}. Any thread.
 */
final class MuxShutdown {

    /** Of the ping by which a drain learns that the peer has seen the first GOAWAY; even, for SPDY. */
    static final long DRAIN_PING = 0x6472_6169L & ~1L;

    /** How long a peer has to see the first GOAWAY of a drain. */
    private static final Duration DRAIN_NOTICE = Duration.ofMillis(500);

    private final MuxConnection connection;
    private final MuxOutput output;
    private final MuxStreams streams;
    private final FrameWriter writer;
    private MuxState state = MuxState.OPEN;

    MuxShutdown(MuxConnection connection, MuxOutput output, MuxStreams streams, FrameWriter writer) {
        this.connection = connection;
        this.output = output;
        this.streams = streams;
        this.writer = writer;
    }

    MuxState state() {
        synchronized (output) {
            return state;
        }
    }

    /** The peer is to open no more streams; which is the last is said later, when it has seen this. */
    void drain() {
        synchronized (output) {
            if (!move(Event.DRAIN)) {
                return;
            }
            output.say(to -> writer.goAway(Integer.MAX_VALUE, Fault.NONE, to));
            output.say(to -> writer.ping(DRAIN_PING, false, to));
        }
        output.pump().flushElsewhere();
        connection.channel().timers().schedule(this::last, DRAIN_NOTICE);
    }

    /** The peer opens no more streams, or is to open none: when those that are open have ended, so does the connection. */
    void last() {
        synchronized (output) {
            if (!move(Event.LAST)) {
                return;
            }
            output.say(to -> writer.goAway(connection.lastOfPeer(), Fault.NONE, to));
            streams.all().stream().filter(MuxStream::isLeft).forEach(streams::endRest);
            endIfLast();
        }
        output.pump().flushElsewhere();
    }

    /** With the lock. */
    void endIfLast() {
        if (state == MuxState.LAST && streams.isEmpty() && move(Event.EMPTY)) {
            output.pump().finish();
        }
    }

    /** The peer broke a rule of the connection: it is told so, and everything ends. */
    void fault(ConnectionFault fault) {
        List<MuxStream> lost;
        synchronized (output) {
            if (!move(Event.FAULT)) {
                return;
            }
            output.say(to -> writer.goAway(connection.lastOfPeer(), fault.fault(), to));
            output.pump().finish();
            lost = streams.failAll(fault);
        }
        connection.note(fault);
        streams.lose(lost, fault);
        output.pump().flushElsewhere();
    }

    /** The connection is closed. */
    void close(@Nullable Throwable cause) {
        Throwable why = cause == null ? new IOException("the connection is closed") : cause;
        List<MuxStream> lost;
        synchronized (output) {
            move(Event.CLOSE);
            output.pump().close();
            lost = streams.failAll(why);
        }
        streams.lose(lost, why);
        output.pump().flush();
    }

    /** The peer sends nothing more: those who wait for it wait in vain. */
    void peerGone() {
        List<MuxStream> open;
        synchronized (output) {
            open = streams.all();
        }
        for (MuxStream each : open) {
            StreamInput in = each.in();
            if (in != null) {
                in.cut();
            }
        }
    }

    /** Runs what streams have for a drain. */
    void tellDrain() {
        List<MuxStream> open;
        synchronized (output) {
            open = streams.all();
        }
        open.forEach(MuxStream::drain);
    }

    private boolean move(Event event) {
        MuxState to = MuxState.next(state, event);
        state = to == null ? state : to;
        return to != null;
    }

    /** All was sent, our end as well. */
    void sent() {
        synchronized (output) {
            move(Event.SENT);
        }
    }
}

package io.millrace.connector.spdy;

import io.millrace.protocol.mux.ConnectionFault;
import io.millrace.protocol.mux.Fault;
import io.millrace.protocol.mux.FrameSink;
import io.millrace.protocol.mux.PeerSettings;
import java.nio.ByteBuffer;

/** Parses complete frames other than those of bodies and header blocks (SPDY/3, 2.6.3 to 2.6.8). */
final class SpdyControlFrames {

    private static final int PAIR = 8;
    private static final int PING_LENGTH = 4;

    /** Eight are defined; processing a frame with many more would cost more than sending it. */
    private static final int MAX_SETTINGS = 32;

    private final SpdyVersion version;

    /** The lowest bit of the ids of our own pings. */
    private final int ownPings;

    /** @param client whether the reader is a client */
    SpdyControlFrames(SpdyVersion version, boolean client) {
        this.version = version;
        ownPings = client ? 1 : 0;
    }

    /** Checks the length of a frame of one of these types. */
    static void check(int type, int length) throws ConnectionFault {
        boolean valid = switch (type) {
            case SpdyFrame.SETTINGS -> length >= SpdyFrame.COUNT && (length - SpdyFrame.COUNT) % SpdyFrame.SETTING == 0;
            case SpdyFrame.PING -> length == PING_LENGTH;
            default -> length == PAIR;
        };
        if (!valid) {
            throw new ConnectionFault(Fault.FRAME_SIZE, "a frame with a length other than that of its type");
        }
        if (length > SpdyFrame.COUNT + MAX_SETTINGS * SpdyFrame.SETTING) {
            throw new ConnectionFault(Fault.ENHANCE_YOUR_CALM, "more than " + MAX_SETTINGS + " settings in a frame");
        }
    }

    static void requireStream(int id) throws ConnectionFault {
        if (id == 0) {
            throw new ConnectionFault(Fault.PROTOCOL, "stream 0 in a frame that must have a stream");
        }
    }

    /** Parses a payload and reports it to the sink. */
    void read(int type, ByteBuffer payload, FrameSink sink) throws ConnectionFault {
        switch (type) {
            case SpdyFrame.RST_STREAM -> {
                int id = payload.getInt() & SpdyFrame.WITHOUT_SIGN;
                requireStream(id);
                sink.reset(id, SpdyStatus.reset(payload.getInt()));
            }
            case SpdyFrame.SETTINGS -> sink.settings(settings(payload));
            case SpdyFrame.PING -> ping(payload.getInt(), sink);
            case SpdyFrame.GOAWAY ->
                sink.goAway(payload.getInt() & SpdyFrame.WITHOUT_SIGN, SpdyStatus.goAway(payload.getInt()));
            case SpdyFrame.WINDOW_UPDATE -> credit(payload, sink);
            default -> throw new IllegalArgumentException("no such frame: " + type);
        }
    }

    /** Ids of clients are odd, those of servers even; a reply has the same id (2.6.5). */
    private void ping(int id, FrameSink sink) throws ConnectionFault {
        sink.ping(id & 0xffff_ffffL, (id & 1) == ownPings);
    }

    private void credit(ByteBuffer payload, FrameSink sink) throws ConnectionFault {
        int id = payload.getInt() & SpdyFrame.WITHOUT_SIGN;
        int increment = payload.getInt() & SpdyFrame.WITHOUT_SIGN;
        if (id == 0 && !version.hasConnectionWindow()) {
            sink.glitch();
        } else {
            sink.credit(id, increment);
        }
    }

    /** Of repeated settings the first applies; unknown ones are ignored (2.6.4). */
    private static PeerSettings settings(ByteBuffer payload) throws ConnectionFault {
        if (payload.getInt() != payload.remaining() / SpdyFrame.SETTING) {
            throw new ConnectionFault(
                    Fault.FRAME_SIZE, "a number of settings that does not match the length of the frame");
        }
        long initialWindow = PeerSettings.UNSAID;
        long maxStreams = PeerSettings.UNSAID;
        while (payload.hasRemaining()) {
            int id = payload.getInt() & 0xff_ffff;
            long value = payload.getInt() & 0xffff_ffffL;
            if (id == SpdyFrame.INITIAL_WINDOW_SIZE && initialWindow == PeerSettings.UNSAID) {
                initialWindow = value;
            } else if (id == SpdyFrame.MAX_CONCURRENT_STREAMS && maxStreams == PeerSettings.UNSAID) {
                maxStreams = value;
            }
        }
        if (initialWindow > Integer.MAX_VALUE) {
            throw new ConnectionFault(
                    Fault.FLOW_CONTROL, "an initial window of " + initialWindow + "; expected at most 2147483647");
        }
        return new PeerSettings(
                (int) initialWindow,
                PeerSettings.UNSAID,
                PeerSettings.UNSAID,
                (int) Math.min(Integer.MAX_VALUE, maxStreams),
                PeerSettings.UNSAID,
                PeerSettings.UNSAID);
    }
}

package io.millrace.connector.http2;

import io.millrace.protocol.mux.ConnectionFault;
import io.millrace.protocol.mux.Fault;
import io.millrace.protocol.mux.FrameSink;
import io.millrace.protocol.mux.Priority;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Parses complete frames other than those of bodies and header blocks (RFC 9113, 6; RFC 9218, 7). */
final class ControlFrames {

    private static final int PING_LENGTH = 8;
    private static final int GOAWAY_LENGTH = 8;
    private static final int PRIORITY_LENGTH = 5;

    private ControlFrames() {}

    /** Checks the fields of a frame header: its stream and length. */
    static void check(int type, int flags, int id, int length) throws ConnectionFault {
        switch (type) {
            case Frames.PRIORITY -> {
                requireStream(id);
                requireLength(length == PRIORITY_LENGTH);
            }
            case Frames.RST_STREAM -> {
                requireStream(id);
                requireLength(length == 4);
            }
            case Frames.SETTINGS -> {
                requireNoStream(id);
                requireLength((flags & Frames.ACK) == 0 ? length % SettingsFrame.SIZE == 0 : length == 0);
            }
            case Frames.PING -> {
                requireNoStream(id);
                requireLength(length == PING_LENGTH);
            }
            case Frames.GOAWAY -> {
                requireNoStream(id);
                requireLength(length >= GOAWAY_LENGTH);
            }
            case Frames.WINDOW_UPDATE -> requireLength(length == 4);
            case Frames.PRIORITY_UPDATE -> {
                requireNoStream(id);
                requireLength(length >= 4);
            }
            case Frames.PUSH_PROMISE ->
                throw new ConnectionFault(Fault.PROTOCOL, "PUSH_PROMISE, although push is disabled");
            default -> {}
        }
    }

    static void requireStream(int id) throws ConnectionFault {
        if (id == 0) {
            throw new ConnectionFault(Fault.PROTOCOL, "stream 0 in a frame that must have a stream");
        }
    }

    private static void requireNoStream(int id) throws ConnectionFault {
        if (id != 0) {
            throw new ConnectionFault(Fault.PROTOCOL, "a stream in a frame that must not have one");
        }
    }

    private static void requireLength(boolean valid) throws ConnectionFault {
        if (!valid) {
            throw new ConnectionFault(Fault.FRAME_SIZE, "a frame with a length other than that of its type");
        }
    }

    /** Parses a payload and reports it to the sink. */
    static void read(int type, int flags, int id, ByteBuffer payload, FrameSink sink) throws ConnectionFault {
        switch (type) {
            case Frames.PRIORITY -> priority(id, payload, sink);
            case Frames.RST_STREAM -> sink.reset(id, ErrorCode.fault(payload.getInt() & 0xffff_ffffL));
            case Frames.SETTINGS -> {
                if ((flags & Frames.ACK) != 0) {
                    sink.settingsAcknowledged();
                } else {
                    sink.settings(SettingsFrame.read(payload));
                }
            }
            case Frames.PING -> sink.ping(payload.getLong(), (flags & Frames.ACK) != 0);
            case Frames.GOAWAY ->
                sink.goAway(payload.getInt() & 0x7fff_ffff, ErrorCode.fault(payload.getInt() & 0xffff_ffffL));
            case Frames.WINDOW_UPDATE -> sink.credit(id, payload.getInt() & 0x7fff_ffff);
            case Frames.PRIORITY_UPDATE -> priorityUpdate(payload, sink);
            default -> sink.glitch();
        }
    }

    /** Priorities of RFC 7540 are checked and ignored (RFC 9113, 5.3.2). */
    private static void priority(int id, ByteBuffer payload, FrameSink sink) throws ConnectionFault {
        requireOther(id, payload.getInt());
        sink.glitch();
    }

    /** A stream cannot depend on itself (RFC 7540, 5.3.1). */
    static void requireOther(int id, int dependency) throws ConnectionFault {
        if ((dependency & 0x7fff_ffff) == id) {
            throw new ConnectionFault(Fault.PROTOCOL, "a stream that depends on itself");
        }
    }

    private static void priorityUpdate(ByteBuffer payload, FrameSink sink) throws ConnectionFault {
        int id = payload.getInt() & 0x7fff_ffff;
        requireStream(id);
        String field = StandardCharsets.ISO_8859_1.decode(payload).toString();
        sink.priority(id, Priority.parse(field, Http2Rules.DEFAULT_PRIORITY));
    }
}

package io.millrace.connector.http2;

import io.millrace.protocol.mux.ConnectionFault;
import io.millrace.protocol.mux.Fault;
import io.millrace.protocol.mux.PeerSettings;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** The parameters of a SETTINGS frame (RFC 9113, 6.5; RFC 8441, 3; RFC 9218, 2.1). */
final class SettingsFrame {

    static final int HEADER_TABLE_SIZE = 1;
    static final int ENABLE_PUSH = 2;
    static final int MAX_CONCURRENT_STREAMS = 3;
    static final int INITIAL_WINDOW_SIZE = 4;
    static final int MAX_FRAME_SIZE = 5;
    static final int MAX_HEADER_LIST_SIZE = 6;
    static final int ENABLE_CONNECT_PROTOCOL = 8;
    static final int NO_RFC7540_PRIORITIES = 9;

    /** Octets of one parameter. */
    static final int SIZE = 6;

    /** Eight are defined; processing a frame with many more would cost more than sending it. */
    private static final int MAX_SETTINGS = 32;

    private static final long MAX_FRAME_LENGTH = (1 << 24) - 1;

    private SettingsFrame() {}

    /**
     * Parses a payload. Unknown parameters are ignored (6.5.2); of repeated ones the last applies, and
     * of sizes of the header table the least before it (RFC 7541, 4.2).
     *
     * @throws ConnectionFault if there are too many, or a value is not permitted
     */
    static PeerSettings read(ByteBuffer payload) throws ConnectionFault {
        if (payload.remaining() > MAX_SETTINGS * SIZE) {
            throw new ConnectionFault(Fault.ENHANCE_YOUR_CALM, "more than " + MAX_SETTINGS + " settings in a frame");
        }
        long[] values = new long[NO_RFC7540_PRIORITIES + 1];
        Arrays.fill(values, PeerSettings.UNSAID);
        long leastTable = Long.MAX_VALUE;
        while (payload.hasRemaining()) {
            int id = payload.getShort() & 0xffff;
            long value = payload.getInt() & 0xffff_ffffL;
            check(id, value);
            if (id == HEADER_TABLE_SIZE) {
                leastTable = Math.min(leastTable, value);
            }
            if (id < values.length) {
                values[id] = value;
            }
        }
        return new PeerSettings(
                (int) values[INITIAL_WINDOW_SIZE],
                (int) values[MAX_FRAME_SIZE],
                clamp(values[HEADER_TABLE_SIZE]),
                clamp(Math.min(leastTable, values[HEADER_TABLE_SIZE])),
                clamp(values[MAX_CONCURRENT_STREAMS]),
                (int) values[ENABLE_PUSH],
                (int) values[ENABLE_CONNECT_PROTOCOL]);
    }

    private static void check(int id, long value) throws ConnectionFault {
        switch (id) {
            case ENABLE_PUSH, ENABLE_CONNECT_PROTOCOL, NO_RFC7540_PRIORITIES -> {
                if (value > 1) {
                    throw new ConnectionFault(
                            Fault.PROTOCOL, "the value " + value + " of the setting " + id + "; expected 0 or 1");
                }
            }
            case INITIAL_WINDOW_SIZE -> {
                if (value > Integer.MAX_VALUE) {
                    throw new ConnectionFault(
                            Fault.FLOW_CONTROL, "an initial window of " + value + "; expected at most 2147483647");
                }
            }
            case MAX_FRAME_SIZE -> {
                if (value < Frames.MAX_PAYLOAD || value > MAX_FRAME_LENGTH) {
                    throw new ConnectionFault(
                            Fault.PROTOCOL, "a frame size of " + value + "; expected 16384 to 16777215");
                }
            }
            default -> {}
        }
    }

    private static int clamp(long value) {
        return (int) Math.min(Integer.MAX_VALUE, value);
    }
}

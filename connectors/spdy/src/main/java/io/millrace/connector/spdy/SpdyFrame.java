package io.millrace.connector.spdy;

/** Numbers of the framing layer (SPDY/3, 2.2 and 2.6). */
final class SpdyFrame {

    /** In each control frame of SPDY/3 and SPDY/3.1. */
    static final int VERSION = 3;

    /** Octets before each payload, of control frames and of DATA. */
    static final int HEAD = 8;

    static final int SYN_STREAM = 1;
    static final int SYN_REPLY = 2;
    static final int RST_STREAM = 3;
    static final int SETTINGS = 4;
    static final int PING = 6;
    static final int GOAWAY = 7;
    static final int HEADERS = 8;
    static final int WINDOW_UPDATE = 9;

    static final int FIN = 0x1;
    static final int UNIDIRECTIONAL = 0x2;

    /** Octets of a SYN_STREAM before its header block: two streams, a priority, a slot. */
    static final int SYN_STREAM_HEAD = 10;

    /** Octets of SYN_REPLY and HEADERS before theirs. */
    static final int STREAM_ID = 4;

    /** Octets of a setting, and of the number before all settings. */
    static final int SETTING = 8;

    static final int COUNT = 4;

    static final int MAX_CONCURRENT_STREAMS = 4;
    static final int INITIAL_WINDOW_SIZE = 7;

    /** What a window has unless something else is agreed on (2.6.8). */
    static final int FIRST_WINDOW = 65_536;

    /** Ids, increments and lengths of windows have no sign. */
    static final int WITHOUT_SIGN = 0x7fff_ffff;

    private SpdyFrame() {}

    /** Octets before the header block of a frame of this type. */
    static int blockHead(int type) {
        return type == SYN_STREAM ? SYN_STREAM_HEAD : STREAM_ID;
    }
}

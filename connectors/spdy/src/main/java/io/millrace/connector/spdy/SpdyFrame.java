package io.millrace.connector.spdy;

/** Frame types, flags and sizes (SPDY/3, 2.2 and 2.6). */
final class SpdyFrame {

    /** The version in control frames of SPDY/3 and SPDY/3.1. */
    static final int VERSION = 3;

    /** The size of the header of control frames and of DATA, in octets. */
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

    /** The octets of a SYN_STREAM before its header block: two stream ids, a priority, a slot. */
    static final int SYN_STREAM_HEAD = 10;

    /** The octets of SYN_REPLY and HEADERS before their header block. */
    static final int STREAM_ID = 4;

    /** The octets of a setting, and ({@link #COUNT}) of their number. */
    static final int SETTING = 8;

    static final int COUNT = 4;

    static final int MAX_CONCURRENT_STREAMS = 4;
    static final int INITIAL_WINDOW_SIZE = 7;

    /** The initial size of a window, unless changed by a setting (2.6.8). */
    static final int FIRST_WINDOW = 65_536;

    /** The mask for ids and window sizes, which have 31 bits. */
    static final int WITHOUT_SIGN = 0x7fff_ffff;

    private SpdyFrame() {}

    /** The octets between the header and the header block of a frame of this type. */
    static int blockHead(int type) {
        return type == SYN_STREAM ? SYN_STREAM_HEAD : STREAM_ID;
    }
}

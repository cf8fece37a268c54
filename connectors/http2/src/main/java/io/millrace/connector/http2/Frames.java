package io.millrace.connector.http2;

/** Frame types, flags and sizes (RFC 9113, 4 and 6; RFC 9218, 7.1). */
final class Frames {

    /** The size of a frame header in octets. */
    static final int HEAD = 9;

    /** The largest payload that we accept, and that every peer must accept (4.2). */
    static final int MAX_PAYLOAD = 16_384;

    static final int DATA = 0;
    static final int HEADERS = 1;
    static final int PRIORITY = 2;
    static final int RST_STREAM = 3;
    static final int SETTINGS = 4;
    static final int PUSH_PROMISE = 5;
    static final int PING = 6;
    static final int GOAWAY = 7;
    static final int WINDOW_UPDATE = 8;
    static final int CONTINUATION = 9;
    static final int PRIORITY_UPDATE = 0x10;

    static final int END_STREAM = 0x1;
    static final int ACK = 0x1;
    static final int END_HEADERS = 0x4;
    static final int PADDED = 0x8;
    static final int WITH_PRIORITY = 0x20;

    private Frames() {}
}

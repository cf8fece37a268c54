package io.millrace.websocket;

/** Whether and how messages are compressed with permessage-deflate (RFC 7692). */
public enum DeflateMode {

    /** The extension is not negotiated. */
    OFF,

    /** Each message is compressed independently: a connection keeps no compressor between messages. */
    NO_CONTEXT_TAKEOVER,

    /**
     * Messages may refer to earlier ones, which saves bandwidth, but each connection keeps a compressor and a
     * decompressor, about 0.1 to 0.3 MB.
     */
    CONTEXT_TAKEOVER
}

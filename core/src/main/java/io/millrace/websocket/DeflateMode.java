package io.millrace.websocket;

/** Whether messages are compressed by permessage-deflate (RFC 7692). */
public enum DeflateMode {

    /** The extension is not negotiated. */
    OFF,

    /** Each message is compressed by itself: a connection holds no compressor between messages. */
    NO_CONTEXT_TAKEOVER,

    /**
     * A message may refer to what is in earlier ones: smaller, but each connection keeps a compressor and a decompressor, about
     * 0.1 to 0.3 MB.
     */
    CONTEXT_TAKEOVER
}

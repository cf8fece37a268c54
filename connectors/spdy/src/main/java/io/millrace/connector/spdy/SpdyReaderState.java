package io.millrace.connector.spdy;

/**
 * The state of a frame reader: what it expects next.
 *
 * <pre>
 * HEAD ──▸ DATA ──▸ HEAD                        incrementally
 *   ├──▸ BLOCK_HEAD ──▸ BLOCK ──▸ HEAD          SYN_STREAM, SYN_REPLY and HEADERS, decompressed incrementally
 *   ├──▸ SKIPPED ──▸ HEAD                       unknown types
 *   └──▸ PAYLOAD ──▸ HEAD                       all others, once they are complete
 * </pre>
 */
enum SpdyReaderState {
    /** The frame header, eight octets. */
    HEAD,
    /** The body in a DATA frame. */
    DATA,
    /** The fields before a header block. */
    BLOCK_HEAD,
    /** A header block. */
    BLOCK,
    /** The payload of a frame that is ignored. */
    SKIPPED,
    /** The payload of a frame that is parsed when it is complete. */
    PAYLOAD
}

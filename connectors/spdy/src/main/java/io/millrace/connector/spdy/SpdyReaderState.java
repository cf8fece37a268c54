package io.millrace.connector.spdy;

/**
 * What the reader of frames expects next.
 *
 * <pre>
 * HEAD ──▸ DATA ──▸ HEAD                        piece by piece
 *   ├──▸ BLOCK_HEAD ──▸ BLOCK ──▸ HEAD          SYN_STREAM and HEADERS: decompressed piece by piece
 *   ├──▸ SKIPPED ──▸ HEAD                       unknown types
 *   └──▸ PAYLOAD ──▸ HEAD                       all others, when they are whole
 * </pre>
 */
enum SpdyReaderState {
    /** The eight octets before a payload. */
    HEAD,
    /** The body's octets in a DATA frame. */
    DATA,
    /** What stands before a header block. */
    BLOCK_HEAD,
    /** A header block. */
    BLOCK,
    /** The payload of a frame that is ignored. */
    SKIPPED,
    /** The payload of a frame that is read when it is whole. */
    PAYLOAD
}

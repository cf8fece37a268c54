package io.millrace.connector.http2;

/**
 * The state of a frame reader: what it expects next.
 *
 * <pre>
 * PREFACE ──24 octets──▸ HEAD ──▸ PAD_LENGTH ──▸ DATA ──▸ PADDING ──▸ HEAD     DATA frames, incrementally
 *                         ├─────────────────────▸ DATA
 *                         ├──▸ SKIPPED ──▸ HEAD                               unknown types
 *                         └──▸ PAYLOAD ──▸ HEAD                               all others, once they are complete
 * </pre>
 */
enum ReaderState {
    /** The client's connection preface (RFC 9113, 3.4). */
    PREFACE,
    /** The frame header, nine octets. */
    HEAD,
    /** The pad length of a DATA frame, one octet. */
    PAD_LENGTH,
    /** The body in a DATA frame. */
    DATA,
    /** The padding of a DATA frame. */
    PADDING,
    /** The payload of a frame that is ignored. */
    SKIPPED,
    /** The payload of a frame that is parsed when it is complete. */
    PAYLOAD
}

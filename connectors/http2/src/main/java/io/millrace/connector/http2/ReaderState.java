package io.millrace.connector.http2;

/**
 * What the reader of frames expects next.
 *
 * <pre>
 * PREFACE ──24 octets──▸ HEAD ──▸ PAD_LENGTH ──▸ DATA ──▸ PADDING ──▸ HEAD     DATA frames, piece by piece
 *                         ├─────────────────────▸ DATA
 *                         ├──▸ SKIPPED ──▸ HEAD                               unknown types
 *                         └──▸ PAYLOAD ──▸ HEAD                               all others, when they are whole
 * </pre>
 */
enum ReaderState {
    /** The client's connection preface (RFC 9113, 3.4). */
    PREFACE,
    /** The nine octets before a payload. */
    HEAD,
    /** The octet that says how much of a DATA frame is padding. */
    PAD_LENGTH,
    /** The body's octets in a DATA frame. */
    DATA,
    /** The padding behind them. */
    PADDING,
    /** The payload of a frame that is ignored. */
    SKIPPED,
    /** The payload of a frame that is read when it is whole. */
    PAYLOAD
}

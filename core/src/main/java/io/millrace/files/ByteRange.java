package io.millrace.files;

/**
 * A range of a representation.
 *
 * @param from the offset of the first byte
 * @param length the number of bytes
 */
public record ByteRange(long from, long length) {

    /** The end, exclusive. */
    long end() {
        return from + length;
    }

    /** The value of {@code Content-Range}. */
    String of(long total) {
        return "bytes " + from + "-" + (end() - 1) + "/" + total;
    }
}

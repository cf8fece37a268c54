package io.millrace.files;

/**
 * A piece of a representation.
 *
 * @param from the first byte
 * @param length how many
 */
public record ByteRange(long from, long length) {

    /** Where it ends, exclusively. */
    long end() {
        return from + length;
    }

    /** As {@code Content-Range} has it. */
    String of(long total) {
        return "bytes " + from + "-" + (end() - 1) + "/" + total;
    }
}

package io.millrace.servlet.deploy.scan;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Searches bytes for an ASCII string by Horspool's algorithm, which reads about one byte for each pattern length. */
final class BytePattern {

    private final byte[] pattern;
    private final int[] shift = new int[256];

    BytePattern(String text) {
        pattern = text.getBytes(StandardCharsets.US_ASCII);
        Arrays.fill(shift, pattern.length);
        for (int i = 0; i < pattern.length - 1; i++) {
            shift[pattern[i] & 0xff] = pattern.length - 1 - i;
        }
    }

    boolean isIn(byte[] bytes) {
        int last = pattern.length - 1;
        for (int end = last; end < bytes.length; end += shift[bytes[end] & 0xff]) {
            if (Arrays.equals(bytes, end - last, end + 1, pattern, 0, pattern.length)) {
                return true;
            }
        }
        return false;
    }
}

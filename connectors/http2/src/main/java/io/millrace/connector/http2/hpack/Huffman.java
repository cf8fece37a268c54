package io.millrace.connector.http2.hpack;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The Huffman code of RFC 7541, appendix B. It is canonical: codes of one length ascend with their symbols, and shorter codes
 * come before longer ones, so that the lengths alone define it.
 *
 * <p>The decoder looks up eight bits at a time. A table of 256 entries has, for each octet, the symbol whose code begins it and the
 * number of bits of that code, or, for longer codes, the table that decodes the following octet.
 */
final class Huffman {

    /** The end of a string; used only as padding, and must not be decoded (5.2). */
    private static final int EOS = 256;

    private static final int TABLE_SIZE = 256;
    private static final int LENGTH_BITS = 4;
    private static final int LENGTH_MASK = (1 << LENGTH_BITS) - 1;

    /** The number of bits of each symbol's code: the octets, then EOS. */
    private static final byte[] LENGTHS = {
        13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28,
        28, 28, 28, 28, 6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15,
        6, 12, 10, 13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6,
        15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5, 6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28, 20, 22,
        20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23, 24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23,
        23, 24, 22, 21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23, 21, 21, 22, 21, 23, 22, 23, 23, 20, 22,
        22, 22, 23, 22, 22, 23, 26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25, 19, 21, 26, 27, 27, 26,
        27, 24, 21, 21, 26, 26, 28, 27, 27, 27, 20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23, 26, 27,
        26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26, 30
    };

    private static final int[] CODES = codes();

    /**
     * The decoding tables, one after the other; the first one decodes the beginning of a code. An entry is symbol and length, as
     * {@code symbol << LENGTH_BITS | length}, or the negative offset of the table for the next octet.
     */
    private static final short[] DECODING = decoding();

    private Huffman() {}

    private static int[] codes() {
        int[] codes = new int[LENGTHS.length];
        int code = 0;
        for (int length = 1; length <= 30; length++) {
            code <<= 1;
            for (int symbol = 0; symbol < LENGTHS.length; symbol++) {
                if (LENGTHS[symbol] == length) {
                    codes[symbol] = code++;
                }
            }
        }
        return codes;
    }

    private static short[] decoding() {
        short[] tables = new short[TABLE_SIZE];
        for (int symbol = 0; symbol <= EOS; symbol++) {
            int table = 0;
            int left = LENGTHS[symbol];
            for (; left > 8; left -= 8) {
                int at = table + (CODES[symbol] >>> left - 8 & 0xff);
                if (tables[at] == 0) {
                    tables[at] = (short) -tables.length;
                    tables = Arrays.copyOf(tables, tables.length + TABLE_SIZE);
                }
                table = -tables[at];
            }
            int first = table + (CODES[symbol] << 8 - left & 0xff);
            Arrays.fill(tables, first, first + (1 << 8 - left), (short) (symbol << LENGTH_BITS | left));
        }
        return tables;
    }

    /** The length of this text, whose characters are octets, in octets when it is coded. */
    static int codedLength(String text) {
        long bits = 0;
        for (int i = 0; i < text.length(); i++) {
            bits += LENGTHS[text.charAt(i)];
        }
        return (int) (bits + 7 >> 3);
    }

    /** Encodes a text whose characters are octets. The buffer must have room for {@link #codedLength} octets. */
    static void encode(String text, ByteBuffer out) {
        long bits = 0;
        int pending = 0;
        for (int i = 0; i < text.length(); i++) {
            int symbol = text.charAt(i);
            bits = bits << LENGTHS[symbol] | CODES[symbol];
            pending += LENGTHS[symbol];
            while (pending >= 8) {
                pending -= 8;
                out.put((byte) (bits >>> pending));
            }
        }
        if (pending > 0) {
            out.put((byte) (bits << 8 - pending | 0xff >>> pending));
        }
    }

    /** The most octets of a text that is coded in this number of octets: the shortest codes have five bits. */
    static int maxDecodedLength(int coded) {
        return (int) (coded * 8L / 5);
    }

    /**
     * Decodes a string.
     *
     * @param text with room for {@link #maxDecodedLength} octets
     * @return the length of the text
     * @throws HpackException if the text contains EOS, or the padding is not a prefix of its code, or is longer than seven
     *     bits (5.2)
     */
    static int decode(byte[] coded, int from, int to, byte[] text) throws HpackException {
        int length = 0;
        int table = 0;
        long bits = 0;
        int pending = 0;
        for (int i = from; i < to; i++) {
            bits = bits << 8 | coded[i] & 0xff;
            pending += 8;
            while (pending >= 8) {
                int entry = DECODING[table + ((int) (bits >>> pending - 8) & 0xff)];
                if (entry < 0) {
                    table = -entry;
                    pending -= 8;
                } else {
                    text[length++] = symbol(entry);
                    pending -= entry & LENGTH_MASK;
                    table = 0;
                }
            }
        }
        while (pending > 0) {
            int entry = DECODING[table + ((int) (bits << 8 - pending) & 0xff)];
            if (entry < 0 || (entry & LENGTH_MASK) > pending) {
                break;
            }
            text[length++] = symbol(entry);
            pending -= entry & LENGTH_MASK;
            table = 0;
        }
        int padding = (1 << pending) - 1;
        if (table != 0 || (bits & padding) != padding) {
            throw new HpackException("a Huffman-coded string with invalid padding");
        }
        return length;
    }

    private static byte symbol(int entry) throws HpackException {
        int symbol = entry >>> LENGTH_BITS;
        if (symbol == EOS) {
            throw new HpackException("a Huffman-coded string that contains the EOS code");
        }
        return (byte) symbol;
    }
}

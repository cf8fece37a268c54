package io.millrace.rewrite;

import java.nio.charset.StandardCharsets;
import java.util.BitSet;

/**
 * Percent-encoding of the input and output of rules. Rules see a decoded path in which only percent sign, question mark and
 * semicolon are escaped, so that no input of a client can begin a query. Their output is escaped again, except for percent
 * signs.
 */
final class UrlText {

    /** The characters that are not escaped in a path (RFC 3986, 3.3). */
    static final BitSet PATH = bytes("-._~!$&'()*+,;=:@/");

    /** The characters that are not escaped in a query (RFC 3986, 3.4). */
    static final BitSet QUERY = bytes("-._~!$'()*+,;=:@/?&");

    /** The characters that are not escaped in any part of a URL (RFC 3986, 2.3). */
    static final BitSet UNRESERVED = bytes("-._~");

    private UrlText() {}

    private static BitSet bytes(String punctuation) {
        BitSet bytes = new BitSet(128);
        punctuation.chars().forEach(bytes::set);
        bytes.set('0', '9' + 1);
        bytes.set('A', 'Z' + 1);
        bytes.set('a', 'z' + 1);
        return bytes;
    }

    /** A decoded path as seen by the rules. */
    static String forRules(String decoded) {
        return decoded.replace("%", "%25").replace("?", "%3F").replace(";", "%3B");
    }

    /** The output of rules, for a URL: percent signs are parts of escapes. */
    static String output(String text, BitSet safe) {
        BitSet kept = (BitSet) safe.clone();
        kept.set('%');
        return escape(text, kept);
    }

    /** The output of rules with the flag NE: only characters that are invalid in header fields and request lines are escaped. */
    static String unescaped(String text) {
        BitSet kept = new BitSet(128);
        kept.set('!', 0x7f);
        return escape(text, kept);
    }

    static String escape(String text, BitSet safe) {
        StringBuilder out = new StringBuilder(text.length() + 16);
        for (byte octet : text.getBytes(StandardCharsets.UTF_8)) {
            if (octet >= 0 && safe.get(octet)) {
                out.append((char) octet);
            } else {
                out.append('%').append(hex(octet >> 4)).append(hex(octet));
            }
        }
        return out.toString();
    }

    private static char hex(int nibble) {
        return Character.toUpperCase(Character.forDigit(nibble & 15, 16));
    }
}

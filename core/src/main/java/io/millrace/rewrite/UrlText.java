package io.millrace.rewrite;

import java.nio.charset.StandardCharsets;
import java.util.BitSet;

/**
 * Percent-escapes on the way into rules and out of them. Rules see a decoded path in which only the percent sign, the question
 * mark and the semicolon are escaped, so that nothing a client sent can begin a query; what they make is escaped again but for
 * its percent signs.
 */
final class UrlText {

    /** Stays as it is in a path: RFC 3986, 3.3, and the percent sign of an escape. */
    static final BitSet PATH = octets("-._~!$&'()*+,;=:@/");

    /** The same for a query: RFC 3986, 3.4. */
    static final BitSet QUERY = octets("-._~!$'()*+,;=:@/?&");

    /** Stays as it is in whatever part of a URL: RFC 3986, 2.3. */
    static final BitSet UNRESERVED = octets("-._~");

    private UrlText() {}

    private static BitSet octets(String punctuation) {
        BitSet octets = new BitSet(128);
        punctuation.chars().forEach(octets::set);
        octets.set('0', '9' + 1);
        octets.set('A', 'Z' + 1);
        octets.set('a', 'z' + 1);
        return octets;
    }

    /** A decoded path as rules see it. */
    static String forRules(String decoded) {
        return decoded.replace("%", "%25").replace("?", "%3F").replace(";", "%3B");
    }

    /** What rules made, as it may stand in a URL: the percent sign is one of an escape. */
    static String made(String text, BitSet safe) {
        BitSet kept = (BitSet) safe.clone();
        kept.set('%');
        return escape(text, kept);
    }

    /** What rules made with the flag NE: only what would break a header field or a request line is escaped. */
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

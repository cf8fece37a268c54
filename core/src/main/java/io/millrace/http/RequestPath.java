package io.millrace.http;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The path of a request, parsed in this one place: parameters removed, percent-escapes decoded once, dot segments
 * resolved. No other code may decode it again.
 *
 * @param raw as sent, without the query
 * @param decoded begins with a slash and contains no {@code .} or {@code ..} segment, no {@code //} and no parameters
 * @param parameters the {@code ;name=value} parameters of all segments, as sent, each with its semicolon; null if there
 *     are none
 */
public record RequestPath(
        String raw, String decoded, @Nullable String parameters) {

    /** The path of {@code OPTIONS *}. */
    public static final RequestPath ASTERISK = new RequestPath("*", "*", null);

    /** The path of a target in authority form (CONNECT). */
    public static final RequestPath NONE = new RequestPath("", "", null);

    /** Whether this is the path of {@code OPTIONS *}. */
    public boolean isAsterisk() {
        return raw.length() == 1 && raw.charAt(0) == '*';
    }

    /**
     * Parses a path: removes the parameters of each segment, decodes percent-escapes once as strict UTF-8, collapses
     * {@code //} and resolves {@code .} and {@code ..}, in this order, so that neither {@code /..;x/} nor {@code
     * /%2e%2e/} bypasses a check.
     *
     * @param raw the path as sent, without the query
     * @param slashes what to do with an encoded slash
     * @return null if the path is rejected: it does not begin with a slash, leads above the root, or contains a
     *     malformed escape, octets that are not UTF-8, a space, a control character, a character beyond ASCII, a backslash,
     *     or an encoded slash while those are rejected
     */
    public static @Nullable RequestPath parse(String raw, EncodedSlash slashes) {
        return parse(raw, slashes, StandardCharsets.UTF_8);
    }

    /**
     * Parses a path whose escaped octets are in another encoding; see {@link #parse(String, EncodedSlash)}.
     *
     * @param charset one in which ASCII characters are encoded as ASCII
     */
    public static @Nullable RequestPath parse(String raw, EncodedSlash slashes, Charset charset) {
        return PathParser.isPlain(raw)
                ? new RequestPath(raw, raw, null)
                : new PathParser(raw, slashes, charset).parse();
    }

    /** Parses one path that needs decoding or normalization; see {@link RequestPath#parse}. */
    private static final class PathParser {

        private static final int DELETE = 0x7f;

        private final String raw;
        private final EncodedSlash slashes;
        private final Charset charset;
        private final byte[] out;
        private int length;

        /** The index in the output at which the current segment begins, after its slash. */
        private int segment;

        private @Nullable StringBuilder parameters;

        PathParser(String raw, EncodedSlash slashes, Charset charset) {
            this.charset = charset;
            this.raw = raw;
            this.slashes = slashes;
            this.out = new byte[raw.length() + 1];
        }

        /** Whether the path needs no decoding, normalization or rejection: the common case, in one pass. */
        static boolean isPlain(String raw) {
            if (raw.isEmpty() || raw.charAt(0) != '/') {
                return false;
            }
            char before = '/';
            for (int i = 1; i < raw.length(); i++) {
                char c = raw.charAt(i);
                boolean special = c <= ' ' || c >= DELETE || c == '%' || c == ';' || c == '\\';
                if (special || before == '/' && (c == '/' || c == '.')) {
                    return false;
                }
                before = c;
            }
            return true;
        }

        @Nullable
        RequestPath parse() {
            if (raw.isEmpty() || raw.charAt(0) != '/') {
                return null;
            }
            append('/');
            segment = length;
            int at = 1;
            while (at < raw.length()) {
                at = step(at);
                if (at < 0) {
                    return null;
                }
            }
            if (!endSegment(false)) {
                return null;
            }
            String decoded = decodeOctets();
            return decoded == null
                    ? null
                    : new RequestPath(raw, decoded, parameters == null ? null : parameters.toString());
        }

        /** Consumes one character or escape; returns the index of the next, or -1 if the path is rejected. */
        private int step(int at) {
            char c = raw.charAt(at);
            return switch (c) {
                case '/' -> endSegment(true) ? at + 1 : -1;
                case ';' -> cutParameters(at);
                case '%' -> decode(at);
                default -> isAllowed(c) && append(c) ? at + 1 : -1;
            };
        }

        private int cutParameters(int at) {
            int slash = raw.indexOf('/', at);
            int end = slash < 0 ? raw.length() : slash;
            if (parameters == null) {
                parameters = new StringBuilder();
            }
            for (int i = at; i < end; i++) {
                char c = raw.charAt(i);
                if (!isAllowed(c) || c == '%' && octet(i) <= 0) {
                    return -1;
                }
            }
            parameters.append(raw, at, end);
            return end;
        }

        private int decode(int at) {
            int octet = octet(at);
            if (octet == '/') {
                return encodedSlash(at);
            }
            if (octet == '%' && slashes == EncodedSlash.PASSTHROUGH) {
                return appendAsSent(at);
            }
            boolean refused = octet < ' ' || octet == DELETE || octet == '\\';
            return !refused && append((char) octet) ? at + 3 : -1;
        }

        private int encodedSlash(int at) {
            return switch (slashes) {
                case REJECT -> -1;
                case DECODE -> endSegment(true) ? at + 3 : -1;
                case PASSTHROUGH -> appendAsSent(at);
            };
        }

        private int appendAsSent(int at) {
            for (int i = at; i < at + 3; i++) {
                append(raw.charAt(i));
            }
            return at + 3;
        }

        /** The octet of an escape; -1 if it is malformed. */
        private int octet(int percent) {
            if (percent + 2 >= raw.length()) {
                return -1;
            }
            int high = digit(raw.charAt(percent + 1));
            int low = digit(raw.charAt(percent + 2));
            return high < 0 || low < 0 ? -1 : high << 4 | low;
        }

        /** Not {@link Character#digit}, which accepts the digits of every script. */
        private static int digit(char c) {
            if (c >= '0' && c <= '9') {
                return c - '0';
            }
            int letter = c | 0x20;
            return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
        }

        private static boolean isAllowed(char c) {
            return c > ' ' && c < DELETE && c != '\\';
        }

        /** Resolves the segment that ends here; false if it leads above the root. */
        private boolean endSegment(boolean slashFollows) {
            int size = length - segment;
            if (size == 0 || size == 1 && out[segment] == '.') {
                length = segment;
                return true;
            }
            if (size == 2 && out[segment] == '.' && out[segment + 1] == '.') {
                return climb();
            }
            if (slashFollows) {
                append('/');
                segment = length;
            }
            return true;
        }

        private boolean climb() {
            if (segment == 1) {
                return false;
            }
            int at = segment - 1;
            while (out[at - 1] != '/') {
                at--;
            }
            segment = at;
            length = at;
            return true;
        }

        private boolean append(char octet) {
            out[length++] = (byte) octet;
            return true;
        }

        /** Decodes strictly: overlong forms, surrogates and stray octets are rejected. */
        private @Nullable String decodeOctets() {
            CharBuffer chars = CharBuffer.allocate(length);
            var result = charset.newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(out, 0, length), chars, true);
            if (result.isError()) {
                return null;
            }
            String decoded = chars.flip().toString();
            return charset.equals(StandardCharsets.UTF_8) || isAsBefore(decoded) ? decoded : null;
        }

        /**
         * Whether decoding has produced none of the significant characters: in some encodings, ASCII octets are part of
         * other characters.
         */
        private boolean isAsBefore(String decoded) {
            int balance = 0;
            for (int i = 0; i < length; i++) {
                balance += isSignificant(out[i]) ? 1 : 0;
            }
            for (int i = 0; i < decoded.length(); i++) {
                balance -= isSignificant(decoded.charAt(i)) ? 1 : 0;
            }
            return balance == 0;
        }

        private static boolean isSignificant(int c) {
            return c == '/' || c == '.' || c == '\\' || c == ';' || c >= 0 && c < ' ' || c == DELETE;
        }
    }
}

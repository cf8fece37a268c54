package io.millrace.http;

import java.nio.charset.Charset;
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
}

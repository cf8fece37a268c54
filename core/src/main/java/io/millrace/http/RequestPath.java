package io.millrace.http;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A request's path, taken apart in the one place where that is done: parameters cut, percent-escapes decoded once, dots
 * resolved. Nothing downstream decodes again.
 *
 * @param raw as sent, without the query
 * @param decoded begins with a slash, has no {@code .} or {@code ..} segment, no {@code //}, no parameters
 * @param parameters the {@code ;name=value} parameters of all segments, as sent, each with its semicolon; null if none
 */
public record RequestPath(
        String raw, String decoded, @Nullable String parameters) {

    /** The path of {@code OPTIONS *}. */
    public static final RequestPath ASTERISK = new RequestPath("*", "*", null);

    /** The path of a target that is only an authority (CONNECT). */
    public static final RequestPath NONE = new RequestPath("", "", null);

    /** Is it that of {@code OPTIONS *}, which no other request has? */
    public boolean isAsterisk() {
        return raw.length() == 1 && raw.charAt(0) == '*';
    }

    /**
     * Takes a path apart: cuts the parameters of each segment, decodes percent-escapes once as strict UTF-8, collapses
     * {@code //} and resolves {@code .} and {@code ..}, in that order, so that neither {@code /..;x/} nor {@code /%2e%2e/}
     * slips through.
     *
     * @param raw the path as sent, without the query
     * @param slashes what becomes of an encoded slash
     * @return null if the path is refused: it does not begin with a slash, climbs above the root, or holds a broken
     *     escape, bytes that are not UTF-8, a control character, a backslash, or an encoded slash where they are rejected
     */
    public static @Nullable RequestPath parse(String raw, EncodedSlash slashes) {
        return parse(raw, slashes, StandardCharsets.UTF_8);
    }

    /**
     * The same where escaped octets are of another encoding.
     *
     * @param charset one in which ASCII is written as ASCII
     */
    public static @Nullable RequestPath parse(String raw, EncodedSlash slashes, Charset charset) {
        return PathParser.isPlain(raw)
                ? new RequestPath(raw, raw, null)
                : new PathParser(raw, slashes, charset).parse();
    }
}

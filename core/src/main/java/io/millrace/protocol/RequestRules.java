package io.millrace.protocol;

import io.millrace.http.EncodedSlash;
import io.millrace.http.FieldSyntax;
import io.millrace.http.Method;
import io.millrace.http.RequestPath;
import java.nio.charset.Charset;
import org.jspecify.annotations.Nullable;

/**
 * The rules for all requests of a connector, whatever their protocol. {@link RequestAssembly} applies them to one
 * request. Immutable.
 *
 * @param maxFields the maximum number of header fields
 * @param encodedSlash how {@code %2F} in a path is treated
 * @param pathCharset the encoding of percent-encoded octets in a path
 * @param allowHostMismatch whether the target may name another host than the Host field; the target's host is then used
 * @param allowRepeats whether Host and Content-Length may be repeated with the same value. Only where a front end has
 *     parsed the request before, and its end is therefore unambiguous
 */
public record RequestRules(
        int maxFields,
        EncodedSlash encodedSlash,
        Charset pathCharset,
        boolean allowHostMismatch,
        boolean allowRepeats) {

    /** Parses a path that begins with a slash; null if it is rejected. */
    public @Nullable RequestPath path(String raw) {
        return RequestPath.parse(raw, encodedSlash, pathCharset);
    }

    /** Parses a path, or {@code *}, which is valid for OPTIONS only (RFC 9110, 7.1); null if it is rejected. */
    public @Nullable RequestPath path(String raw, @Nullable String method) {
        if (raw.equals("*")) {
            return Method.OPTIONS.equals(method) ? RequestPath.ASTERISK : null;
        }
        return path(raw);
    }

    /** The fault in the method or the query, for protocols whose syntax does not restrict them; null if there is none. */
    public static @Nullable RequestFault check(@Nullable String method, @Nullable String query) {
        if (method == null || !FieldSyntax.isToken(method)) {
            return RequestFault.BAD_METHOD;
        }
        return query == null || isClean(query) ? null : RequestFault.BAD_QUERY;
    }

    private static boolean isClean(String query) {
        for (int i = 0; i < query.length(); i++) {
            char c = query.charAt(i);
            if (c <= ' ' || c == 0x7f) {
                return false;
            }
        }
        return true;
    }
}

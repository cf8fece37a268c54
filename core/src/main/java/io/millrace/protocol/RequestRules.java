package io.millrace.protocol;

import io.millrace.http.EncodedSlash;
import io.millrace.http.FieldSyntax;
import io.millrace.http.Method;
import io.millrace.http.RequestPath;
import java.nio.charset.Charset;
import org.jspecify.annotations.Nullable;

/**
 * What every request of one connector is held to, whatever protocol it comes by. {@link RequestAssembly} applies the rules to
 * one request. Any thread.
 *
 * @param maxFields how many header fields a request may have
 * @param encodedSlash what becomes of {@code %2F} in its path
 * @param pathCharset what its path's octets mean
 * @param allowHostMismatch may its target name another host than its Host field? The target counts then
 * @param allowRepeats may Host and Content-Length come twice if they say the same? Only where a front end has parsed the
 *     request before: it has settled where the request ends
 */
public record RequestRules(
        int maxFields,
        EncodedSlash encodedSlash,
        Charset pathCharset,
        boolean allowHostMismatch,
        boolean allowRepeats) {

    /** A path that begins with a slash, decoded and normalised; null if it is refused. */
    public @Nullable RequestPath path(String raw) {
        return RequestPath.parse(raw, encodedSlash, pathCharset);
    }

    /** The same where the path stands by itself: with OPTIONS, {@code *} is the whole server (RFC 9110, 7.1). */
    public @Nullable RequestPath path(String raw, @Nullable String method) {
        if (raw.equals("*")) {
            return Method.OPTIONS.equals(method) ? RequestPath.ASTERISK : null;
        }
        return path(raw);
    }

    /** For protocols whose syntax lets anything be a method or a query: what is wrong; null if nothing is. */
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

package io.millrace.http1;

import io.millrace.http.Authority;
import io.millrace.http.Method;
import io.millrace.http.RequestPath;
import org.jspecify.annotations.Nullable;

/**
 * A request target in one of its four forms (RFC 9112, 3.2), taken apart.
 *
 * @param text as sent
 * @param path null if it is refused
 * @param authority of absolute-form and authority-form
 */
record RequestTarget(
        String text,
        @Nullable RequestPath path,
        @Nullable String query,
        @Nullable String authority) {

    private static final RequestTarget ASTERISK = new RequestTarget("*", RequestPath.ASTERISK, null, null);

    /** Takes apart the target that a request line ended with; null if it has none of the four forms. */
    static @Nullable RequestTarget parse(byte[] bytes, RequestLine line, String method, Http1Rules rules) {
        int start = line.targetStart();
        int end = line.targetEnd();
        if (bytes[start] == '/') {
            return originForm(bytes, line, rules);
        }
        if (method.equals(Method.CONNECT)) {
            String text = Octets.text(bytes, start, end);
            return Authority.isValidWithPort(text) ? new RequestTarget(text, RequestPath.NONE, null, text) : null;
        }
        if (bytes[start] == '*' && end == start + 1) {
            return method.equals(Method.OPTIONS) ? ASTERISK : null;
        }
        return absoluteForm(Octets.text(bytes, start, end), method, rules);
    }

    private static RequestTarget originForm(byte[] bytes, RequestLine line, Http1Rules rules) {
        int start = line.targetStart();
        int end = line.targetEnd();
        int pathEnd = line.questionMark();
        RequestPath path = rules.path(bytes, start, pathEnd);
        if (pathEnd == end) {
            String text = path == null ? Octets.text(bytes, start, end) : path.raw();
            return new RequestTarget(text, path, null, null);
        }
        String text = Octets.text(bytes, start, end);
        return new RequestTarget(text, path, text.substring(pathEnd + 1 - start), null);
    }

    private static @Nullable RequestTarget absoluteForm(String text, String method, Http1Rules rules) {
        int from = schemeEnd(text);
        if (from < 0) {
            return null;
        }
        int questionMark = text.indexOf('?', from);
        int end = questionMark < 0 ? text.length() : questionMark;
        int slash = text.indexOf('/', from);
        int authorityEnd = slash < 0 || slash > end ? end : slash;
        String authority = text.substring(from, authorityEnd);
        String rawPath = text.substring(authorityEnd, end);
        if (!Authority.isValid(authority) || rawPath.indexOf('[') >= 0 || rawPath.indexOf(']') >= 0) {
            return null;
        }
        String query = questionMark < 0 ? null : text.substring(questionMark + 1);
        return new RequestTarget(text, path(rawPath, query, method, rules), query, authority);
    }

    /** Without a path it means the root; for OPTIONS, the whole server (RFC 9110, 7.1; RFC 9112, 3.2.4). */
    private static @Nullable RequestPath path(String raw, @Nullable String query, String method, Http1Rules rules) {
        if (!raw.isEmpty()) {
            return RequestPath.parse(
                    raw,
                    rules.options().encodedSolidusHandling(),
                    rules.options().pathCharset());
        }
        boolean wholeServer = query == null && method.equals(Method.OPTIONS);
        return wholeServer
                ? RequestPath.ASTERISK
                : RequestPath.parse(
                        "/",
                        rules.options().encodedSolidusHandling(),
                        rules.options().pathCharset());
    }

    private static int schemeEnd(String text) {
        if (text.regionMatches(true, 0, "http://", 0, 7)) {
            return 7;
        }
        return text.regionMatches(true, 0, "https://", 0, 8) ? 8 : -1;
    }
}

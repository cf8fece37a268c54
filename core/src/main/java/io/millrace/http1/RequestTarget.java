package io.millrace.http1;

import io.millrace.http.Authority;
import io.millrace.http.Method;
import io.millrace.http.RequestPath;
import io.millrace.protocol.RequestAssembly;
import org.jspecify.annotations.Nullable;

/** Parses a request target, in any of its four forms (RFC 9112, 3.2). */
final class RequestTarget {

    private RequestTarget() {}

    /** Parses the target of a request line; false if it has none of the four forms. */
    static boolean read(byte[] bytes, RequestLine line, String method, Http1Rules rules, RequestAssembly request) {
        int start = line.targetStart();
        int end = line.targetEnd();
        if (bytes[start] == '/') {
            originForm(bytes, line, rules, request);
            return true;
        }
        if (method.equals(Method.CONNECT)) {
            String text = Octets.text(bytes, start, end);
            request.target(text, RequestPath.NONE, null, text);
            return Authority.isValidWithPort(text);
        }
        if (bytes[start] == '*' && end == start + 1) {
            request.target("*", rules.request().path("*", method), null, null);
            return method.equals(Method.OPTIONS);
        }
        return absoluteForm(Octets.text(bytes, start, end), method, rules, request);
    }

    private static void originForm(byte[] bytes, RequestLine line, Http1Rules rules, RequestAssembly request) {
        int start = line.targetStart();
        int end = line.targetEnd();
        int pathEnd = line.questionMark();
        RequestPath path = rules.path(bytes, start, pathEnd);
        if (pathEnd == end) {
            request.target(path == null ? Octets.text(bytes, start, end) : path.raw(), path, null, null);
            return;
        }
        String text = Octets.text(bytes, start, end);
        request.target(text, path, text.substring(pathEnd + 1 - start), null);
    }

    private static boolean absoluteForm(String text, String method, Http1Rules rules, RequestAssembly request) {
        int from = schemeEnd(text);
        if (from < 0) {
            return false;
        }
        int questionMark = text.indexOf('?', from);
        int end = questionMark < 0 ? text.length() : questionMark;
        int slash = text.indexOf('/', from);
        int authorityEnd = slash < 0 || slash > end ? end : slash;
        String authority = text.substring(from, authorityEnd);
        String rawPath = text.substring(authorityEnd, end);
        if (!Authority.isValid(authority) || rawPath.indexOf('[') >= 0 || rawPath.indexOf(']') >= 0) {
            return false;
        }
        String query = questionMark < 0 ? null : text.substring(questionMark + 1);
        request.target(text, path(rawPath, query, method, rules), query, authority);
        return true;
    }

    /** An empty path means the root, or the whole server for OPTIONS (RFC 9110, 7.1; RFC 9112, 3.2.4). */
    private static @Nullable RequestPath path(String raw, @Nullable String query, String method, Http1Rules rules) {
        if (!raw.isEmpty()) {
            return rules.request().path(raw);
        }
        boolean wholeServer = query == null && method.equals(Method.OPTIONS);
        return wholeServer ? RequestPath.ASTERISK : rules.request().path("/");
    }

    private static int schemeEnd(String text) {
        if (text.regionMatches(true, 0, "http://", 0, 7)) {
            return 7;
        }
        return text.regionMatches(true, 0, "https://", 0, 8) ? 8 : -1;
    }
}

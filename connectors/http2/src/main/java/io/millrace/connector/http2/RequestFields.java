package io.millrace.connector.http2;

import io.millrace.connector.http2.hpack.HpackDecoder;
import io.millrace.http.Authority;
import io.millrace.http.FieldSyntax;
import io.millrace.http.Headers;
import io.millrace.http.HttpVersion;
import io.millrace.http.Method;
import io.millrace.http.RequestHead;
import io.millrace.http.RequestPath;
import io.millrace.protocol.RequestAssembly;
import io.millrace.protocol.RequestFault;
import io.millrace.protocol.RequestRules;
import io.millrace.protocol.mux.Priority;
import io.millrace.protocol.mux.StreamRules;
import org.jspecify.annotations.Nullable;

/**
 * Makes a request of a header block's fields: the pseudo-header fields, which come first, take the place of the request line
 * (RFC 9113, 8.3.1).
 */
final class RequestFields implements HpackDecoder.Fields {

    private final StreamRules rules;
    private final boolean end;
    private final RequestAssembly assembly;
    private @Nullable String method;
    private @Nullable String scheme;
    private @Nullable String authority;
    private @Nullable String path;
    private @Nullable String protocol;
    private @Nullable StringBuilder cookies;
    private @Nullable String cookie;
    private @Nullable Priority priority;
    private boolean regular;
    private @Nullable RequestError error;

    /**
     * Nothing yet.
     *
     * @param end has the request no body?
     */
    RequestFields(StreamRules rules, boolean end) {
        this.rules = rules;
        this.end = end;
        assembly = new RequestAssembly(rules.request());
    }

    @Override
    public void field(String name, String value) {
        if (!name.isEmpty() && name.charAt(0) == ':') {
            wrong(regular ? RequestError.LATE_PSEUDO_FIELD : pseudo(name, value));
            return;
        }
        regular = true;
        RequestError bad = FieldCheck.check(name, value);
        if (bad != null) {
            wrong(bad);
            return;
        }
        switch (name) {
            case "cookie" -> addCookie(value);
            case "priority" -> {
                priority = Priority.parse(value, Http2Rules.SAID);
                assembly.field(name, value);
            }
            case "expect" -> {
                wrong(value.equalsIgnoreCase("100-continue") ? null : RequestError.UNKNOWN_EXPECTATION);
                assembly.field(name, value);
            }
            default -> assembly.field(name, value);
        }
    }

    @Override
    public void tooLarge() {
        wrong(RequestError.HEAD_TOO_LARGE);
    }

    /** The first counts, but that a request is malformed counts more. */
    private void wrong(@Nullable RequestError found) {
        if (found != null
                && (error == null
                        || found.violation().isMalformed() && !error.violation().isMalformed())) {
            error = found;
        }
    }

    private @Nullable RequestError pseudo(String name, String value) {
        String before;
        switch (name) {
            case ":method" -> {
                before = method;
                method = value;
            }
            case ":scheme" -> {
                before = scheme;
                scheme = value;
            }
            case ":authority" -> {
                before = authority;
                authority = value;
            }
            case ":path" -> {
                before = path;
                path = value;
            }
            case ":protocol" -> {
                before = protocol;
                protocol = value;
            }
            default -> {
                return RequestError.UNKNOWN_PSEUDO_FIELD;
            }
        }
        return before == null ? null : RequestError.REPEATED_PSEUDO_FIELD;
    }

    /** A client may send each cookie as a field of its own; handlers see one field (8.2.3). */
    private void addCookie(String value) {
        if (cookie == null) {
            cookie = value;
        } else {
            cookies = cookies == null ? new StringBuilder(cookie) : cookies;
            cookies.append("; ").append(value);
        }
    }

    // ---- all fields are there

    /** What is wrong with the request; null if nothing is. Then it has a {@link #head}. */
    @Nullable
    RequestError check() {
        if (cookie != null) {
            assembly.field("cookie", cookies == null ? cookie : cookies.toString());
        }
        if (error != RequestError.HEAD_TOO_LARGE) { // of such a one fields are missing
            wrong(isConnect() ? checkConnect() : checkTarget());
        }
        if (error == null) {
            wrong(of(assembly.checkFields()));
            wrong(of(assembly.checkTarget()));
        }
        return error;
    }

    private static @Nullable RequestError of(@Nullable RequestFault fault) {
        return fault == null ? null : RequestError.of(fault);
    }

    /** Without :protocol, it has neither a scheme nor a path (8.5). */
    private boolean isConnect() {
        return protocol == null && Method.CONNECT.equals(method);
    }

    private @Nullable RequestError checkConnect() {
        if (scheme != null || path != null || authority == null) {
            return RequestError.BAD_CONNECT;
        }
        assembly.target(authority, RequestPath.NONE, null, authority);
        return Authority.isValidWithPort(authority) ? null : RequestError.BAD_HOST;
    }

    private @Nullable RequestError checkTarget() {
        if (method == null || scheme == null || path == null || path.isEmpty()) {
            return RequestError.MISSING_PSEUDO_FIELD;
        }
        if (protocol != null && (!Method.CONNECT.equals(method) || !FieldSyntax.isToken(protocol) || end)) {
            return RequestError.BAD_EXTENDED_CONNECT;
        }
        RequestError wrong = checkScheme(scheme);
        if (wrong != null) {
            return wrong;
        }
        if (authority == null && assembly.host() == null) {
            return RequestError.MISSING_HOST;
        }
        return setTarget(method, path);
    }

    private @Nullable RequestError checkScheme(String named) {
        if (!named.equals("http") && !named.equals("https")) {
            return RequestError.BAD_SCHEME;
        }
        return rules.allowsScheme(named) ? null : RequestError.SCHEME_MISMATCH;
    }

    private @Nullable RequestError setTarget(String asked, String target) {
        int mark = target.indexOf('?');
        String query = mark < 0 ? null : target.substring(mark + 1);
        String raw = mark < 0 ? target : target.substring(0, mark);
        if (!rules.isTarget(raw, query)) {
            return RequestError.BAD_TARGET;
        }
        RequestPath parsed = rules.path(raw, asked);
        assembly.target(query == null && parsed != null ? parsed.raw() : target, parsed, query, authority);
        return of(RequestRules.check(asked, query));
    }

    // ---- the result

    /** The request, with which nothing is wrong. A tunnel's looks as it does in HTTP/1.1 (RFC 8441). */
    RequestHead head() {
        Headers headers = assembly.headers();
        if (authority != null && assembly.host() == null) {
            headers.add("host", authority);
        }
        if (protocol != null) {
            headers.add("upgrade", protocol).add("connection", "Upgrade");
            return assembly.head(Method.GET, HttpVersion.HTTP_2, schemeOfRequest(), 0);
        }
        long announced = assembly.announcedLength();
        long length = announced < 0 && end ? 0 : announced;
        return assembly.head(method == null ? Method.GET : method, HttpVersion.HTTP_2, schemeOfRequest(), length);
    }

    /** CONNECT has none. */
    private String schemeOfRequest() {
        return scheme == null ? rules.scheme() : scheme;
    }

    /** Is it an extended CONNECT? */
    boolean isTunnel() {
        return protocol != null;
    }

    /** What it says of its priority; null if nothing. */
    @Nullable
    Priority priority() {
        return priority;
    }

    /** A request line, as far as it was told, for the access log; unescaped. */
    @Nullable
    String line() {
        return method == null ? null : method + " " + (path == null ? authority : path) + " HTTP/2.0";
    }
}

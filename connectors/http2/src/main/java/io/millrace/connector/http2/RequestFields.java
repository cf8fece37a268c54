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
import io.millrace.protocol.mux.Priority;
import io.millrace.protocol.mux.StreamRules;
import org.jspecify.annotations.Nullable;

/**
 * Assembles a request from the fields of a header block: the pseudo-header fields, which come first, replace the request line
 * (RFC 9113, 8.3.1).
 */
final class RequestFields implements HpackDecoder.Fields {

    /** The only protocol for which anything here opens a tunnel, and which the proxy forwards. */
    private static final String WEBSOCKET = "websocket";

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
    private @Nullable RequestFault error;

    /**
     * Creates an empty request.
     *
     * @param end whether the request has no body
     */
    RequestFields(StreamRules rules, boolean end) {
        this.rules = rules;
        this.end = end;
        assembly = new RequestAssembly(rules.request());
    }

    @Override
    public boolean field(String name, String value, boolean checked) {
        if (!name.isEmpty() && name.charAt(0) == ':') {
            addError(regular ? RequestFault.LATE_PSEUDO_FIELD : pseudo(name, value));
            return false;
        }
        regular = true;
        RequestFault bad = checked ? null : FieldCheck.check(name, value);
        if (bad == null) {
            add(name, value);
        } else {
            addError(bad);
        }
        return bad == null;
    }

    private void add(String name, String value) {
        switch (name) {
            case "cookie" -> addCookie(value);
            case "priority" -> {
                priority = Priority.parse(value, Http2Rules.DEFAULT_PRIORITY);
                assembly.validated(name, value);
            }
            case "expect" -> {
                addError(value.equalsIgnoreCase("100-continue") ? null : RequestFault.UNKNOWN_EXPECTATION);
                assembly.validated(name, value);
            }
            default -> assembly.validated(name, value);
        }
    }

    @Override
    public void tooLarge() {
        addError(RequestFault.FIELD_LIST_TOO_LARGE);
    }

    /** Records the first error, or the first that makes the request malformed. */
    private void addError(@Nullable RequestFault found) {
        if (found != null && (error == null || found.isMalformed() && !error.isMalformed())) {
            error = found;
        }
    }

    private @Nullable RequestFault pseudo(String name, String value) {
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
                return RequestFault.UNKNOWN_PSEUDO_FIELD;
            }
        }
        return before == null ? null : RequestFault.REPEATED_PSEUDO_FIELD;
    }

    /** Joins the fields of a client that sends each cookie as a field of its own (8.2.3). */
    private void addCookie(String value) {
        if (cookie == null) {
            cookie = value;
        } else {
            cookies = cookies == null ? new StringBuilder(cookie) : cookies;
            cookies.append("; ").append(value);
        }
    }

    // ---- the checks, after all fields

    /** Checks the request. Null if it is valid and has a {@link #head}. */
    @Nullable
    RequestFault check() {
        if (cookie != null) {
            assembly.validated("cookie", cookies == null ? cookie : cookies.toString());
        }
        if (error != RequestFault.FIELD_LIST_TOO_LARGE) { // the list of fields is incomplete
            addError(isConnect() ? checkConnect() : checkTarget());
        }
        if (error == null) {
            addError(assembly.checkFields());
            addError(assembly.checkTarget());
        }
        if (error == null && protocol != null && !protocol.equalsIgnoreCase(WEBSOCKET)) {
            error = RequestFault.UNKNOWN_PROTOCOL; // RFC 9220, 3; no application runs for what nobody could open
        }
        return error;
    }

    /** Whether it is a CONNECT without :protocol, which has neither a scheme nor a path (8.5). */
    private boolean isConnect() {
        return protocol == null && Method.CONNECT.equals(method);
    }

    private @Nullable RequestFault checkConnect() {
        if (scheme != null || path != null || authority == null) {
            return RequestFault.BAD_CONNECT;
        }
        assembly.target(authority, RequestPath.NONE, null, authority);
        return Authority.isValidWithPort(authority) ? null : RequestFault.BAD_HOST;
    }

    private @Nullable RequestFault checkTarget() {
        if (method == null || scheme == null || path == null || path.isEmpty()) {
            return RequestFault.MISSING_PSEUDO_FIELD;
        }
        if (protocol != null && (!Method.CONNECT.equals(method) || !FieldSyntax.isToken(protocol) || end)) {
            return RequestFault.BAD_EXTENDED_CONNECT;
        }
        RequestFault wrong = rules.checkScheme(scheme);
        if (wrong != null) {
            return wrong;
        }
        if (authority == null && assembly.host() == null) {
            return RequestFault.MISSING_AUTHORITY;
        }
        return rules.target(assembly, method, path, authority);
    }

    // ---- the result

    /** The valid request. A tunnel's has the form of HTTP/1.1 (RFC 8441). */
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

    /** The connection's scheme for CONNECT, which has none. */
    private String schemeOfRequest() {
        return scheme == null ? rules.scheme() : scheme;
    }

    /** Whether it is an extended CONNECT. */
    boolean isTunnel() {
        return protocol != null;
    }

    /** The priority; null if the request has none. */
    @Nullable
    Priority priority() {
        return priority;
    }

    /** The request line for the access log, unescaped; null if there is no method. */
    @Nullable
    String line() {
        return method == null ? null : method + " " + (path == null ? authority : path) + " HTTP/2.0";
    }
}

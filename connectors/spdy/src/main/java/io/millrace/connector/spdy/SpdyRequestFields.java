package io.millrace.connector.spdy;

import io.millrace.http.Headers;
import io.millrace.http.HttpVersion;
import io.millrace.http.Method;
import io.millrace.http.RequestHead;
import io.millrace.http.RequestPath;
import io.millrace.protocol.RequestAssembly;
import io.millrace.protocol.RequestFault;
import io.millrace.protocol.RequestRules;
import io.millrace.protocol.mux.StreamRules;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Assembles a request from the fields of a header block: five that begin with a colon, anywhere in the block, replace the
 * request line and Host (SPDY/3, 3.2.1).
 */
final class SpdyRequestFields implements NameValueBlock.Fields {

    private final StreamRules rules;
    private final HttpVersion httpVersion;
    private final boolean end;
    private final RequestAssembly assembly;
    private final Set<String> names = new HashSet<>();
    private @Nullable String method;
    private @Nullable String path;
    private @Nullable String version;
    private @Nullable String host;
    private @Nullable String scheme;
    private @Nullable SpdyRequestError error;

    /**
     * Creates an empty request.
     *
     * @param httpVersion the version that applications see
     * @param end whether the request has no body
     */
    SpdyRequestFields(StreamRules rules, HttpVersion httpVersion, boolean end) {
        this.rules = rules;
        this.httpVersion = httpVersion;
        this.end = end;
        assembly = new RequestAssembly(rules.request());
    }

    @Override
    public void field(String name, String value) {
        if (!names.add(name)) {
            addError(SpdyRequestError.REPEATED_FIELD);
        } else if (!name.isEmpty() && name.charAt(0) == ':') {
            addError(special(name, value));
        } else {
            SpdyRequestError bad = SpdyFields.checkName(name);
            addError(bad != null ? bad : values(name, value));
        }
    }

    private @Nullable SpdyRequestError values(String name, String value) {
        if (!name.equals("cookie") || value.indexOf('\0') < 0) {
            return SpdyFields.split(name, value, this::add);
        }
        StringBuilder cookies = new StringBuilder(value.length());
        SpdyRequestError bad = SpdyFields.split(name, value, (same, cookie) -> {
            cookies.append(cookies.isEmpty() ? "" : "; ").append(cookie);
            return null;
        });
        if (bad == null) {
            assembly.field(name, cookies.toString()); // handlers see one field (RFC 6265, 5.4)
        }
        return bad;
    }

    private @Nullable SpdyRequestError add(String name, String value) {
        assembly.field(name, value);
        boolean unknown = name.equals("expect") && !value.equalsIgnoreCase("100-continue");
        return unknown ? SpdyRequestError.UNKNOWN_EXPECTATION : null;
    }

    @Override
    public void tooLarge() {
        addError(SpdyRequestError.HEAD_TOO_LARGE);
    }

    /** Records the first error, or the first that makes the request malformed. */
    private void addError(@Nullable SpdyRequestError found) {
        if (found != null
                && (error == null
                        || found.violation().isMalformed() && !error.violation().isMalformed())) {
            error = found;
        }
    }

    private @Nullable SpdyRequestError special(String name, String value) {
        switch (name) {
            case ":method" -> method = value;
            case ":path" -> path = value;
            case ":version" -> version = value;
            case ":host" -> host = value;
            case ":scheme" -> scheme = value;
            default -> {
                return SpdyRequestError.UNKNOWN_SPECIAL_FIELD;
            }
        }
        return null;
    }

    // ---- the checks, after all fields

    /** Checks the request. Null if it is valid and has a {@link #head}. */
    @Nullable
    SpdyRequestError check() {
        if (error == null) {
            addError(checkLine());
        }
        if (error == null) {
            addError(of(assembly.checkFields()));
            addError(of(assembly.checkTarget()));
        }
        return error;
    }

    private static @Nullable SpdyRequestError of(@Nullable RequestFault fault) {
        return fault == null ? null : SpdyRequestError.of(fault);
    }

    private @Nullable SpdyRequestError checkLine() {
        if (method == null || path == null || version == null || host == null || scheme == null) {
            return SpdyRequestError.MISSING_FIELD;
        }
        if (!version.equals("HTTP/1.1") && !version.equals("HTTP/1.0")) {
            return SpdyRequestError.BAD_VERSION;
        }
        if (method.equals(Method.CONNECT)) {
            return SpdyRequestError.TUNNEL;
        }
        SpdyRequestError wrong = checkScheme(scheme);
        return wrong != null ? wrong : setTarget(method, path);
    }

    private @Nullable SpdyRequestError checkScheme(String value) {
        if (!value.equals("http") && !value.equals("https")) {
            return SpdyRequestError.BAD_SCHEME;
        }
        return rules.allowsScheme(value) ? null : SpdyRequestError.SCHEME_MISMATCH;
    }

    private @Nullable SpdyRequestError setTarget(String method, String target) {
        int mark = target.indexOf('?');
        String query = mark < 0 ? null : target.substring(mark + 1);
        String raw = mark < 0 ? target : target.substring(0, mark);
        if (!rules.isTarget(raw, query)) {
            return SpdyRequestError.BAD_TARGET;
        }
        RequestPath parsed = raw.isEmpty() ? null : rules.path(raw, method);
        assembly.target(target, parsed, query, host);
        return of(RequestRules.check(method, query));
    }

    // ---- the result

    /** The valid request. */
    RequestHead head() {
        if (method == null || scheme == null || host == null) {
            throw new IllegalStateException("the request has not been checked");
        }
        Headers headers = assembly.headers();
        if (assembly.host() == null) {
            headers.add("host", host);
        }
        long announced = assembly.announcedLength();
        long length = announced < 0 && end ? 0 : announced;
        return assembly.head(method, httpVersion, scheme, length);
    }

    /** The request line for the access log, unescaped; null if there is no method. */
    @Nullable
    String line() {
        return method == null ? null : method + " " + path + " " + httpVersion;
    }
}

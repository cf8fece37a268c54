package io.millrace.connector.spdy;

import io.millrace.http.Headers;
import io.millrace.http.HttpVersion;
import io.millrace.http.Method;
import io.millrace.http.RequestHead;
import io.millrace.protocol.RequestAssembly;
import io.millrace.protocol.RequestFault;
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
    private @Nullable RequestFault error;

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
            addError(RequestFault.REPEATED_FIELD);
        } else if (!name.isEmpty() && name.charAt(0) == ':') {
            addError(special(name, value));
        } else {
            RequestFault bad = SpdyFields.checkName(name);
            addError(bad != null ? bad : values(name, value));
        }
    }

    private @Nullable RequestFault values(String name, String value) {
        if (!name.equals("cookie") || value.indexOf('\0') < 0) {
            return SpdyFields.split(name, value, this::add);
        }
        StringBuilder cookies = new StringBuilder(value.length());
        RequestFault bad = SpdyFields.split(name, value, (same, cookie) -> {
            cookies.append(cookies.isEmpty() ? "" : "; ").append(cookie);
            return null;
        });
        if (bad == null) {
            assembly.field(name, cookies.toString()); // handlers see one field (RFC 6265, 5.4)
        }
        return bad;
    }

    private @Nullable RequestFault add(String name, String value) {
        assembly.field(name, value);
        boolean unknown = name.equals("expect") && !value.equalsIgnoreCase("100-continue");
        return unknown ? RequestFault.UNKNOWN_EXPECTATION : null;
    }

    @Override
    public void tooLarge() {
        addError(RequestFault.HEAD_TOO_LARGE);
    }

    /** Records the first error, or the first that makes the request malformed. */
    private void addError(@Nullable RequestFault found) {
        if (found != null && (error == null || found.isMalformed() && !error.isMalformed())) {
            error = found;
        }
    }

    private @Nullable RequestFault special(String name, String value) {
        switch (name) {
            case ":method" -> method = value;
            case ":path" -> path = value;
            case ":version" -> version = value;
            case ":host" -> host = value;
            case ":scheme" -> scheme = value;
            default -> {
                return RequestFault.UNKNOWN_PSEUDO_FIELD;
            }
        }
        return null;
    }

    // ---- the checks, after all fields

    /** Checks the request. Null if it is valid and has a {@link #head}. */
    @Nullable
    RequestFault check() {
        if (error == null) {
            addError(checkLine());
        }
        if (error == null) {
            addError(assembly.checkFields());
            addError(assembly.checkTarget());
        }
        return error;
    }

    private @Nullable RequestFault checkLine() {
        if (method == null || path == null || version == null || host == null || scheme == null) {
            return RequestFault.INCOMPLETE_HEAD;
        }
        if (!version.equals("HTTP/1.1") && !version.equals("HTTP/1.0")) {
            return RequestFault.UNSUPPORTED_VERSION;
        }
        if (method.equals(Method.CONNECT)) {
            return RequestFault.UNSUPPORTED_CONNECT;
        }
        RequestFault wrong = rules.checkScheme(scheme);
        return wrong != null ? wrong : rules.target(assembly, method, path, host);
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

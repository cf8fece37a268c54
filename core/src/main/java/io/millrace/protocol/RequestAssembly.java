package io.millrace.protocol;

import io.millrace.http.Authority;
import io.millrace.http.FieldSyntax;
import io.millrace.http.Headers;
import io.millrace.http.HttpVersion;
import io.millrace.http.RequestHead;
import io.millrace.http.RequestPath;
import org.jspecify.annotations.Nullable;

/**
 * Assembles the head of a request from its parts, by the rules that all protocols share: allowed fields, body length,
 * host and path. A protocol adds the parts in any order, as fields and a request line or as pseudo-header fields, and
 * then calls {@link #head}. Invalid parts are reported as {@link RequestFault}s, not as exceptions.
 *
 * <p><b>Threads.</b> Confined to the thread that reads the request.
 */
public final class RequestAssembly {

    private static final int MAX_DIGITS = 18;

    private final RequestRules rules;
    private final Headers headers = new Headers();
    private @Nullable RequestFault inFields;
    private @Nullable String host;
    private boolean hostsDiffer;
    private @Nullable String length;
    private boolean lengthsDiffer;
    private boolean coded;
    private @Nullable String target;
    private @Nullable RequestPath path;
    private @Nullable String query;
    private @Nullable String authority;

    /** Starts a new request. */
    public RequestAssembly(RequestRules rules) {
        this.rules = rules;
    }

    // ---- the fields

    /**
     * The fields so far. A protocol whose parser has already validated a field adds it here, and calls a note method if
     * it is one of those below.
     */
    public Headers headers() {
        return headers;
    }

    /** Adds a field that has not been validated. */
    public void field(String name, String value) {
        if (headers.size() < rules.maxFields() && (!FieldSyntax.isToken(name) || !FieldSyntax.isValue(value))) {
            inFields = RequestFault.BAD_FIELD;
        } else {
            validated(name, value);
        }
    }

    /** Adds a field whose name and value have been validated, by rules that are as strict. */
    public void validated(String name, String value) {
        if (headers.size() == rules.maxFields()) {
            inFields = RequestFault.TOO_MANY_FIELDS;
        } else {
            headers.add(name, value);
            note(name, value);
        }
    }

    private void note(String name, String value) {
        switch (name.length()) {
            case 4 -> {
                if (name.equalsIgnoreCase("host")) {
                    noteHost(value);
                }
            }
            case 14 -> {
                if (name.equalsIgnoreCase("content-length")) {
                    noteLength(value.strip());
                }
            }
            case 17 -> {
                if (name.equalsIgnoreCase("transfer-encoding")) {
                    noteCoding();
                }
            }
            default -> {}
        }
    }

    /** Records the value of a Host field. */
    public void noteHost(String value) {
        hostsDiffer |= host != null && !mayRepeat(host, value);
        host = value;
    }

    /** Records the value of a Content-Length field. */
    public void noteLength(String value) {
        lengthsDiffer |= length != null && !mayRepeat(length, value);
        length = value;
    }

    /** Records that there is a Transfer-Encoding field. */
    public void noteCoding() {
        coded = true;
    }

    private boolean mayRepeat(String before, String value) {
        return rules.allowRepeats() && before.equals(value);
    }

    /** The value of the Host field, possibly empty; null if there is none. */
    public @Nullable String host() {
        return host;
    }

    /** The value of the last Content-Length; -1 if there is none, or it is not a number. */
    public long announcedLength() {
        return length == null || lengthFault(length) != null ? -1 : Long.parseLong(length);
    }

    /** The fault in the fields, including the body length; null if there is none. */
    public @Nullable RequestFault checkFields() {
        if (inFields != null || length == null) {
            return inFields;
        }
        if (coded) {
            return RequestFault.LENGTH_AND_CODING;
        }
        return lengthsDiffer ? RequestFault.DUPLICATE_LENGTH : lengthFault(length);
    }

    private static @Nullable RequestFault lengthFault(String value) {
        for (int i = 0; i < value.length(); i++) {
            if (value.charAt(i) < '0' || value.charAt(i) > '9') {
                return RequestFault.BAD_LENGTH;
            }
        }
        if (value.isEmpty()) {
            return RequestFault.BAD_LENGTH;
        }
        return value.length() > MAX_DIGITS ? RequestFault.HUGE_LENGTH : null;
    }

    // ---- the target

    /**
     * Sets the target.
     *
     * @param text the target with the query, as passed to handlers
     * @param normalized the path, parsed by {@link RequestRules#path}; null if that rejected it
     * @param part the query; null if there is none
     * @param named the authority of the target: that of the absolute form or {@code :authority}; null if there is none
     */
    public void target(String text, @Nullable RequestPath normalized, @Nullable String part, @Nullable String named) {
        target = text;
        path = normalized;
        query = part;
        authority = named;
    }

    /** The fault in the host or the path; null if there is none. */
    public @Nullable RequestFault checkTarget() {
        if (hostsDiffer) {
            return RequestFault.DUPLICATE_HOST;
        }
        if (host != null && !host.isEmpty() && !Authority.isValid(host)
                || authority != null && !Authority.isValid(authority)) {
            return RequestFault.BAD_HOST;
        }
        boolean mismatch = authority != null && host != null && !host.equalsIgnoreCase(authority);
        if (mismatch && !rules.allowHostMismatch()) {
            return RequestFault.HOST_MISMATCH;
        }
        return path == null ? RequestFault.BAD_PATH : null;
    }

    // ---- the head

    /**
     * The head of a request without faults. Its authority is that of the target, otherwise that of Host (RFC 9112,
     * 3.2.2).
     *
     * @param contentLength the length of the body in bytes; -1 if unknown
     * @throws IllegalStateException if there is no target, or its path was rejected
     */
    public RequestHead head(String method, HttpVersion version, String scheme, long contentLength) {
        if (target == null || path == null) {
            throw new IllegalStateException("the request has no valid target; call target() and checkTarget() first");
        }
        String named = host == null || host.isEmpty() ? null : host;
        return new RequestHead(
                method,
                target,
                path,
                query,
                version,
                scheme,
                authority == null ? named : authority,
                headers,
                contentLength);
    }
}

package io.millrace.protocol;

import io.millrace.http.Authority;
import io.millrace.http.FieldSyntax;
import io.millrace.http.Headers;
import io.millrace.http.HttpVersion;
import io.millrace.http.RequestHead;
import io.millrace.http.RequestPath;
import org.jspecify.annotations.Nullable;

/**
 * Puts one request's head together out of what a protocol has read, by the rules that hold for all of them: which fields
 * there may be, how long the body is, which host is meant, which path. The protocol says the parts in any order, as fields and
 * a request line or as pseudo-header fields, and then asks for the head. Makes no exceptions: what it refuses it names.
 *
 * <p><b>Threads.</b> For the one that reads the request.
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

    /** Of a request that nothing is known of yet. */
    public RequestAssembly(RequestRules rules) {
        this.rules = rules;
    }

    // ---- the fields

    /** The fields so far. A protocol whose syntax has checked one already adds it here, and notes it if it is one of those below. */
    public Headers headers() {
        return headers;
    }

    /** A field that no syntax has checked: adds it, and notes what it means here. */
    public void field(String name, String value) {
        if (headers.size() == rules.maxFields()) {
            inFields = RequestFault.TOO_MANY_FIELDS;
        } else if (!FieldSyntax.isToken(name) || !FieldSyntax.isValue(value)) {
            inFields = RequestFault.BAD_FIELD;
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

    /** A Host field was read. */
    public void noteHost(String value) {
        hostsDiffer |= host != null && !mayRepeat(host, value);
        host = value;
    }

    /** A Content-Length was read. */
    public void noteLength(String value) {
        lengthsDiffer |= length != null && !mayRepeat(length, value);
        length = value;
    }

    /** A Transfer-Encoding was read. */
    public void noteCoding() {
        coded = true;
    }

    private boolean mayRepeat(String before, String value) {
        return rules.allowRepeats() && before.equals(value);
    }

    /** The Host field; null if there is none. An empty one names no host. */
    public @Nullable String host() {
        return host;
    }

    /** What the last Content-Length announces; -1 if there is none, or it is no number. */
    public long announcedLength() {
        return length == null || lengthFault(length) != null ? -1 : Long.parseLong(length);
    }

    /** What is wrong with the fields, or with the length that they announce; null if nothing is. */
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

    // ---- what is asked for

    /**
     * The target.
     *
     * @param text as it is passed on, with the query
     * @param normalised by {@link RequestRules#path}; null if that refuses it
     * @param named the authority that stands beside it, if one does: that of absolute-form or {@code :authority}
     */
    public void target(String text, @Nullable RequestPath normalised, @Nullable String part, @Nullable String named) {
        target = text;
        path = normalised;
        query = part;
        authority = named;
    }

    /** What is wrong with the host or the path; null if nothing is. */
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
     * The head of a request with which nothing is wrong. Its authority is the target's before Host (RFC 9112, 3.2.2).
     *
     * @param contentLength the body's; -1 if only its end will tell
     * @throws IllegalStateException if there is no target, or its path was refused
     */
    public RequestHead head(String method, HttpVersion version, String scheme, long contentLength) {
        if (target == null || path == null) {
            throw new IllegalStateException("the request has no target that was accepted");
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

package io.millrace.connector.http2;

import io.millrace.connector.http2.hpack.FieldTexts;
import io.millrace.http.RequestPath;
import io.millrace.http.TargetOctets;
import io.millrace.io.ConnectionInfo;
import io.millrace.io.LogThrottle;
import io.millrace.protocol.RequestRules;
import io.millrace.protocol.mux.Priority;
import org.jspecify.annotations.Nullable;

/** What every connection of one connector has in common. Any thread. */
final class Http2Rules {

    /** What a field counts beside its octets in the size of a list (RFC 9113, 6.5.2). */
    private static final int FIELD_OVERHEAD = 32;

    /** What a priority is that leaves out what it may (RFC 9218, 4). */
    static final Priority SAID = Priority.of(3, false);

    private static final int PATHS = 512;

    private final Http2Options options;
    private final String scheme;
    private final RequestRules request;
    private final TargetOctets octets;
    private final FieldTexts texts = new FieldTexts();
    private final LogThrottle<RequestError> throttle = new LogThrottle<>(RequestError.class);

    /** Paths that were asked for lately, each at the place of its hash; published by plain writes, as they are immutable. */
    private final @Nullable RequestPath[] paths = new @Nullable RequestPath[PATHS];

    Http2Rules(Http2Options options, String scheme) {
        this.options = options;
        this.scheme = scheme;
        request = new RequestRules(
                options.maxHeaderCount(),
                options.encodedSolidusHandling(),
                options.pathCharset(),
                options.allowHostHeaderMismatch(),
                false);
        octets = new TargetOctets(options.relaxedPathChars(), options.relaxedQueryChars());
    }

    Http2Options options() {
        return options;
    }

    /** What its requests come by. */
    String scheme() {
        return scheme;
    }

    RequestRules request() {
        return request;
    }

    /** Strings that connections share. */
    FieldTexts texts() {
        return texts;
    }

    /** How large the list of a request's fields may be: as large as the head of a request of HTTP/1.1. */
    int maxListSize() {
        return saturated(options.maxHeaderSize() + (long) FIELD_OVERHEAD * options.maxHeaderCount());
    }

    /** The same for the fields after its body. */
    int maxTrailerListSize() {
        return saturated(options.maxTrailerSize() + (long) FIELD_OVERHEAD * options.maxTrailerCount());
    }

    private static int saturated(long size) {
        return (int) Math.min(Integer.MAX_VALUE, size);
    }

    /** Do a path and a query hold only what RFC 3986 and the operator allow? */
    boolean isTarget(String path, @Nullable String query) {
        return TargetOctets.areAll(octets.path(), path, 0, path.length())
                && (query == null || TargetOctets.areAll(octets.query(), query, 0, query.length()));
    }

    /** The path written here; null if it is refused. */
    @Nullable
    RequestPath path(String raw, String method) {
        int hash = raw.hashCode();
        int slot = (hash ^ hash >>> 9 ^ hash >>> 18) & PATHS - 1;
        RequestPath recent = paths[slot];
        if (recent != null && recent.raw().equals(raw)) {
            return recent;
        }
        RequestPath path = request.path(raw, method);
        if (path != null && !path.isAsterisk()) {
            paths[slot] = path;
        }
        return path;
    }

    /** A request is not dispatched: said in the log once a minute for each reason. */
    void note(RequestError error, ConnectionInfo info) {
        if (!throttle.isDue(error)) {
            return;
        }
        if (error.isMalformed()) {
            Http2Log.LOG.malformed(info.remote(), error.advice());
        } else {
            Http2Log.LOG.refused(info.remote(), error.status(), error.advice());
        }
    }
}

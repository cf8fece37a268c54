package io.millrace.http1;

import io.millrace.http.RequestPath;
import org.jspecify.annotations.Nullable;

/** What every request of one connector is parsed by, and what was seen lately. Any thread. */
final class Http1Rules {

    private final Http1Options options;
    private final String scheme;
    private final TargetOctets targetOctets;
    private final DateLine date = new DateLine();
    private final byte @Nullable [] serverLine;
    private final RecentTexts<RequestPath> paths = new RecentTexts<>();

    Http1Rules(Http1Options options, String scheme) {
        this.options = options;
        this.scheme = scheme;
        serverLine = options.server() == null ? null : Octets.ascii("Server: " + options.server() + "\r\n");
        targetOctets = new TargetOctets(options.relaxedPathChars(), options.relaxedQueryChars());
    }

    Http1Options options() {
        return options;
    }

    String scheme() {
        return scheme;
    }

    TargetOctets targetOctets() {
        return targetOctets;
    }

    DateLine date() {
        return date;
    }

    /** The Server field with its end; null for none. */
    byte @Nullable [] serverLine() {
        return serverLine;
    }

    /** The path written here; null if it is refused. */
    @Nullable
    RequestPath path(byte[] bytes, int from, int to) {
        RequestPath recent = paths.get(bytes, from, to);
        if (recent != null) {
            return recent;
        }
        RequestPath path = RequestPath.parse(Octets.text(bytes, from, to), options.encodedSolidusHandling());
        if (path != null) {
            paths.put(bytes, from, to, path);
        }
        return path;
    }
}

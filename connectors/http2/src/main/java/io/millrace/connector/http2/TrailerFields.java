package io.millrace.connector.http2;

import io.millrace.connector.http2.hpack.HpackDecoder;
import io.millrace.http.Headers;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The fields after a request's body (RFC 9113, 8.1). */
final class TrailerFields implements HpackDecoder.Fields {

    private final Http2Options options;
    private final Headers headers = new Headers();
    private int count;
    private @Nullable RequestError error;

    TrailerFields(Http2Options options) {
        this.options = options;
    }

    @Override
    public void field(String name, String value) {
        if (FieldCheck.check(name, value) != null) {
            error = RequestError.BAD_TRAILERS;
        } else if (++count > options.maxTrailerCount()) {
            tooLarge();
        } else if (isKept(name)) {
            headers.add(name, value);
        }
    }

    private boolean isKept(String name) {
        Set<String> allowed = options.allowedTrailerHeaders();
        return allowed == null || allowed.contains(name);
    }

    @Override
    public void tooLarge() {
        error = error == null ? RequestError.TRAILERS_TOO_LARGE : error;
    }

    /** What is wrong with them; null if nothing is. */
    @Nullable
    RequestError error() {
        return error;
    }

    /** Those that the connector lets pass. */
    Headers headers() {
        return headers;
    }
}

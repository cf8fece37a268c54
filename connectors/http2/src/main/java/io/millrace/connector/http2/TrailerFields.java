package io.millrace.connector.http2;

import io.millrace.connector.http2.hpack.HpackDecoder;
import io.millrace.http.Headers;
import io.millrace.protocol.HttpOptions;
import io.millrace.protocol.mux.MuxOptions;
import io.millrace.settings.Settings;
import org.jspecify.annotations.Nullable;

/** The fields after a request's body (RFC 9113, 8.1). */
final class TrailerFields implements HpackDecoder.Fields {

    private final Settings options;
    private final Headers headers = new Headers();
    private int count;
    private @Nullable RequestError error;

    TrailerFields(Settings options) {
        this.options = options;
    }

    @Override
    public void field(String name, String value) {
        if (FieldCheck.check(name, value) != null) {
            error = RequestError.BAD_TRAILERS;
        } else if (++count > options.get(MuxOptions.MAX_TRAILER_COUNT)) {
            tooLarge();
        } else if (HttpOptions.keepsTrailer(options, name)) {
            headers.add(name, value);
        }
    }

    @Override
    public void tooLarge() {
        error = error == null ? RequestError.TRAILERS_TOO_LARGE : error;
    }

    /** The error; null if the fields are valid. */
    @Nullable
    RequestError error() {
        return error;
    }

    /** The fields that the connector permits. */
    Headers headers() {
        return headers;
    }
}

package io.millrace.connector.spdy;

import io.millrace.http.Headers;
import io.millrace.protocol.HttpOptions;
import io.millrace.protocol.mux.MuxOptions;
import io.millrace.settings.Settings;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The trailers of a message, in a HEADERS frame (SPDY/3, 2.6.7). */
final class SpdyTrailerFields implements NameValueBlock.Fields {

    private final Settings options;
    private final Headers headers = new Headers();
    private final Set<String> names = new HashSet<>();
    private int count;
    private @Nullable SpdyRequestError error;

    SpdyTrailerFields(Settings options) {
        this.options = options;
    }

    @Override
    public void field(String name, String value) {
        if (!names.add(name)
                || SpdyFields.checkName(name) != null
                || SpdyFields.split(name, value, this::add) != null) {
            error = SpdyRequestError.BAD_TRAILERS;
        }
    }

    private @Nullable SpdyRequestError add(String name, String value) {
        if (++count > options.get(MuxOptions.MAX_TRAILER_COUNT)) {
            tooLarge();
        } else if (HttpOptions.keepsTrailer(options, name)) {
            headers.add(name, value);
        }
        return null;
    }

    @Override
    public void tooLarge() {
        error = error == null ? SpdyRequestError.TRAILERS_TOO_LARGE : error;
    }

    /** The error; null if the fields are valid. */
    @Nullable
    SpdyRequestError error() {
        return error;
    }

    /** The fields that the connector permits. */
    Headers headers() {
        return headers;
    }
}

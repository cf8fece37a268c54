package io.millrace.protocol.mux;

import io.millrace.http.Headers;
import io.millrace.protocol.HttpOptions;
import io.millrace.protocol.RequestFault;
import io.millrace.settings.Settings;
import org.jspecify.annotations.Nullable;

/** The fields after a body on a stream, which a reader of frames adds one by one (RFC 9113, 8.1; SPDY/3, 2.6.7). */
public final class StreamTrailers {

    private final Settings options;
    private final Headers headers = new Headers();
    private int count;
    private @Nullable RequestFault fault;

    /** No fields yet. */
    public StreamTrailers(Settings options) {
        this.options = options;
    }

    /** Adds a valid field, if the connector permits it. */
    public void add(String name, String value) {
        if (++count > options.get(MuxOptions.MAX_TRAILER_COUNT)) {
            tooLarge();
        } else if (HttpOptions.keepsTrailer(options, name)) {
            headers.add(name, value);
        }
    }

    /** A field is malformed. */
    public void malformed() {
        fault = RequestFault.BAD_TRAILERS;
    }

    /** The fields exceed a limit. */
    public void tooLarge() {
        fault = fault == null ? RequestFault.STREAM_TRAILERS_TOO_LARGE : fault;
    }

    /**
     * Why they are rejected; null if they are valid.
     *
     * @param end whether they end their stream, as trailers must
     */
    public @Nullable RequestFault fault(boolean end) {
        return end ? fault : RequestFault.BAD_TRAILERS;
    }

    /** The fields that the connector permits. */
    public Headers headers() {
        return headers;
    }
}

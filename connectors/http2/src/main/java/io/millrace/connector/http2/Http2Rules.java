package io.millrace.connector.http2;

import static io.millrace.protocol.HttpOptions.MAX_REQUEST_HEADER_SIZE;
import static io.millrace.protocol.HttpOptions.MAX_TRAILER_SIZE;
import static io.millrace.protocol.ProtocolOptions.MAX_HEADER_COUNT;
import static io.millrace.protocol.mux.MuxOptions.MAX_TRAILER_COUNT;

import io.millrace.connector.http2.hpack.FieldTexts;
import io.millrace.protocol.mux.Priority;
import io.millrace.protocol.mux.StreamRules;
import io.millrace.settings.Settings;

/** The settings and shared state of all connections of one connector. Thread-safe. */
final class Http2Rules {

    /** Added to the octets of each field in the size of a field list (RFC 9113, 6.5.2). */
    private static final int FIELD_OVERHEAD = 32;

    /** The defaults of a priority's parameters (RFC 9218, 4). */
    static final Priority DEFAULT_PRIORITY = Priority.of(3, false);

    private final Settings options;
    private final StreamRules streams;
    private final FieldTexts texts = new FieldTexts();

    Http2Rules(Settings options, String scheme) {
        this.options = options;
        streams = new StreamRules(options, scheme, "HTTP/2");
    }

    Settings options() {
        return options;
    }

    /** The rules for requests of all protocols. */
    StreamRules streams() {
        return streams;
    }

    /** The cache of strings that connections share. */
    FieldTexts texts() {
        return texts;
    }

    /** The largest field list of a head, which corresponds to the limits of an HTTP/1.1 head. */
    int maxListSize() {
        return saturated(options.get(MAX_REQUEST_HEADER_SIZE) + (long) FIELD_OVERHEAD * options.get(MAX_HEADER_COUNT));
    }

    /** The largest field list of trailers. */
    int maxTrailerListSize() {
        return saturated(options.get(MAX_TRAILER_SIZE) + (long) FIELD_OVERHEAD * options.get(MAX_TRAILER_COUNT));
    }

    private static int saturated(long size) {
        return (int) Math.min(Integer.MAX_VALUE, size);
    }
}

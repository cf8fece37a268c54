package io.millrace.connector.spdy;

import static io.millrace.protocol.HttpOptions.MAX_REQUEST_HEADER_SIZE;
import static io.millrace.protocol.HttpOptions.MAX_TRAILER_SIZE;
import static io.millrace.protocol.HttpOptions.SERVER;

import io.millrace.protocol.mux.StreamRules;
import io.millrace.settings.Settings;
import org.jspecify.annotations.Nullable;

/** The settings and shared state of all connections of one connector. Thread-safe. */
final class SpdyRules {

    /** The octets of the two lengths of a field. */
    private static final int FIELD_OVERHEAD = 8;

    /** The limit of a header block, as a multiple of the limit of a head: up to it, a request is rejected with a response. */
    private static final int MAX_BLOCK_FACTOR = 4;

    private final SpdyVersion version;
    private final Settings options;
    private final StreamRules streams;
    private final SpdyTexts texts = new SpdyTexts();

    SpdyRules(Settings options, String scheme) {
        version = SpdyVersion.of(options);
        this.options = options;
        streams = new StreamRules(options, scheme, "SPDY");
    }

    SpdyVersion version() {
        return version;
    }

    Settings options() {
        return options;
    }

    /** The rules for requests of all protocols. */
    StreamRules streams() {
        return streams;
    }

    /** The Server field of each response; null for none. */
    @Nullable
    String server() {
        String server = options.get(SERVER);
        return server.isEmpty() ? null : server;
    }

    /** The cache of strings that connections share. */
    SpdyTexts texts() {
        return texts;
    }

    /** The most octets of the names and values of a head. */
    int maxListSize() {
        return options.get(MAX_REQUEST_HEADER_SIZE);
    }

    /** The most octets of the names and values of trailers. */
    int maxTrailerListSize() {
        return options.get(MAX_TRAILER_SIZE);
    }

    /** The most octets of a header block, compressed or decompressed; a larger one ends the connection. */
    int maxBlockSize() {
        long size = Math.max(maxListSize(), maxTrailerListSize())
                + (long) FIELD_OVERHEAD * streams.request().maxFields();
        return (int) Math.min(Integer.MAX_VALUE, MAX_BLOCK_FACTOR * size);
    }
}

package io.millrace.connector.spdy;

import static io.millrace.protocol.HttpOptions.MAX_REQUEST_HEADER_SIZE;
import static io.millrace.protocol.HttpOptions.MAX_TRAILER_SIZE;
import static io.millrace.protocol.HttpOptions.SERVER;

import io.millrace.io.ConnectionInfo;
import io.millrace.io.LogThrottle;
import io.millrace.protocol.RequestViolation;
import io.millrace.protocol.mux.StreamRules;
import io.millrace.settings.Settings;
import org.jspecify.annotations.Nullable;

/** What every connection of one connector has in common. Any thread. */
final class SpdyRules {

    /** Octets of the two lengths of a field. */
    private static final int FIELD_OVERHEAD = 8;

    /** How much larger than its limit a request's head may be and still be answered. */
    private static final int LARGEST_BLOCK = 4;

    private final SpdyVersion version;
    private final Settings options;
    private final StreamRules streams;
    private final SpdyTexts texts = new SpdyTexts();
    private final LogThrottle<SpdyRequestError> throttle = new LogThrottle<>(SpdyRequestError.class);

    SpdyRules(Settings options, String scheme) {
        version = SpdyVersion.of(options);
        this.options = options;
        streams = new StreamRules(options, scheme);
    }

    SpdyVersion version() {
        return version;
    }

    Settings options() {
        return options;
    }

    /** What requests are held to whatever the protocol. */
    StreamRules streams() {
        return streams;
    }

    /** The Server field of each response; null for none. */
    @Nullable
    String server() {
        String server = options.get(SERVER);
        return server.isEmpty() ? null : server;
    }

    /** Strings that connections share. */
    SpdyTexts texts() {
        return texts;
    }

    /** Octets that the names and values of a request's fields may have. */
    int maxListSize() {
        return options.get(MAX_REQUEST_HEADER_SIZE);
    }

    /** The same for the fields after its body. */
    int maxTrailerListSize() {
        return options.get(MAX_TRAILER_SIZE);
    }

    /** Octets that a header block may have, compressed as well as decompressed; more end the connection. */
    int maxBlockSize() {
        long size = Math.max(maxListSize(), maxTrailerListSize())
                + (long) FIELD_OVERHEAD * streams.request().maxFields();
        return (int) Math.min(Integer.MAX_VALUE, LARGEST_BLOCK * size);
    }

    /** A request is not dispatched: said in the log once a minute for each reason. */
    void note(SpdyRequestError error, ConnectionInfo info) {
        if (!throttle.isDue(error)) {
            return;
        }
        RequestViolation violation = error.violation();
        if (violation.isMalformed()) {
            SpdyLog.LOG.malformed(info.remote(), violation.advice());
        } else {
            SpdyLog.LOG.refused(info.remote(), violation.status(), violation.advice());
        }
    }
}

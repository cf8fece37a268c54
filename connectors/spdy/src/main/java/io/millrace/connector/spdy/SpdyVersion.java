package io.millrace.connector.spdy;

import io.millrace.http.HttpVersion;
import io.millrace.settings.Settings;

/** The supported versions. Their frames are identical; 3.1 adds a flow-control window for the connection. */
enum SpdyVersion {
    /** With a flow-control window for the connection. */
    SPDY_3_1("3.1", "spdy/3.1", HttpVersion.SPDY_3_1),
    /** With flow-control windows for streams only. */
    SPDY_3("3", "spdy/3", HttpVersion.SPDY_3);

    private final String number;
    private final String id;
    private final HttpVersion ofRequests;

    SpdyVersion(String number, String id, HttpVersion ofRequests) {
        this.number = number;
        this.id = id;
        this.ofRequests = ofRequests;
    }

    /** The version of a connector. */
    static SpdyVersion of(Settings options) {
        return options.get(SpdyOptions.VERSION).equals(SPDY_3.number) ? SPDY_3 : SPDY_3_1;
    }

    /** Its value of {@link SpdyOptions#VERSION}. */
    String number() {
        return number;
    }

    /** Its ALPN id. */
    String id() {
        return id;
    }

    /** The version of its requests: {@code SPDY/3.1} or {@code SPDY/3}. */
    HttpVersion ofRequests() {
        return ofRequests;
    }

    /** Whether the connection has a flow-control window. */
    boolean hasConnectionWindow() {
        return this == SPDY_3_1;
    }
}

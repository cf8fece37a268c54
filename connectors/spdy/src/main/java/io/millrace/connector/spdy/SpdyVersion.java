package io.millrace.connector.spdy;

import io.millrace.http.HttpVersion;
import io.millrace.settings.Settings;

/** The versions that are spoken. They look the same on the wire; the later one has a window for the connection, too. */
enum SpdyVersion {
    /** With a window for the connection. */
    SPDY_3_1("3.1", "spdy/3.1", HttpVersion.SPDY_3_1),
    /** Streams have windows, the connection has none. */
    SPDY_3("3", "spdy/3", HttpVersion.SPDY_3);

    private final String number;
    private final String id;
    private final HttpVersion ofRequests;

    SpdyVersion(String number, String id, HttpVersion ofRequests) {
        this.number = number;
        this.id = id;
        this.ofRequests = ofRequests;
    }

    /** The one that this connector speaks. */
    static SpdyVersion of(Settings options) {
        return options.get(SpdyOptions.VERSION).equals(SPDY_3.number) ? SPDY_3 : SPDY_3_1;
    }

    /** As {@link SpdyOptions#VERSION} says it. */
    String number() {
        return number;
    }

    /** Its ALPN id. */
    String id() {
        return id;
    }

    /** What its requests say that they came by: {@code SPDY/3.1} or {@code SPDY/3}. */
    HttpVersion ofRequests() {
        return ofRequests;
    }

    /** Does the connection have a window? */
    boolean hasConnectionWindow() {
        return this == SPDY_3_1;
    }
}

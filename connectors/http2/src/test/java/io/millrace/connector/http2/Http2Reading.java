package io.millrace.connector.http2;

import io.millrace.io.ConnectionInfo;
import io.millrace.settings.Settings;
import io.millrace.testkit.FrameTranscript;
import io.millrace.testkit.ScriptedConnection;

/** The reports of a reader for a connection's octets. */
final class Http2Reading {

    private Http2Reading() {}

    /** Reads pieces of a size, on a port without TLS. */
    static FrameTranscript read(Settings options, byte[] bytes, int piece) {
        return new FrameTranscript().read(new Http2Reader(new Http2Rules(options, "http"), info()), bytes, piece);
    }

    static FrameTranscript read(Wire wire) {
        return read(Settings.DEFAULTS, wire.toArray(), Integer.MAX_VALUE);
    }

    static ConnectionInfo info() {
        return new ScriptedConnection().channel().info();
    }
}

package io.millrace.connector.spdy;

import io.millrace.settings.Settings;
import io.millrace.testkit.FrameTranscript;
import io.millrace.testkit.ScriptedConnection;

/** The reports of a reader for a connection's octets. */
final class SpdyReading {

    private SpdyReading() {}

    /** Reads pieces of a size, on a port without TLS. */
    static FrameTranscript read(Settings options, byte[] bytes, int piece) {
        SpdyReader reader = new SpdyReader(
                new SpdyRules(options, "http"),
                new ScriptedConnection().channel().info());
        try {
            return new FrameTranscript().read(reader, bytes, piece);
        } finally {
            reader.close();
        }
    }

    static FrameTranscript read(SpdyWire wire) {
        return read(Settings.DEFAULTS, wire.toArray(), Integer.MAX_VALUE);
    }
}

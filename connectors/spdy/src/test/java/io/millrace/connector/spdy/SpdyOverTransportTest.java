package io.millrace.connector.spdy;

import io.millrace.protocol.Protocol;
import io.millrace.settings.Settings;
import io.millrace.testkit.MuxClient;
import io.millrace.testkit.MuxTlsContract;
import io.millrace.testkit.RawClient;
import java.io.IOException;

/** SPDY/3.1 on every transport, without TLS and with each TLS implementation. */
final class SpdyOverTransportTest extends MuxTlsContract {

    @Override
    protected Protocol protocol(Settings options, String scheme) {
        return new SpdyProtocol(options, scheme);
    }

    @Override
    protected MuxClient client(RawClient connected, String scheme) throws IOException {
        return new SpdyMuxClient(connected, scheme);
    }
}

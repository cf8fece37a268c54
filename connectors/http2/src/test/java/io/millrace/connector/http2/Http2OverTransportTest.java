package io.millrace.connector.http2;

import io.millrace.protocol.Protocol;
import io.millrace.settings.Settings;
import io.millrace.testkit.MuxClient;
import io.millrace.testkit.MuxTlsContract;
import io.millrace.testkit.RawClient;
import java.io.IOException;

/** HTTP/2 on every transport, without TLS and with each TLS implementation. */
final class Http2OverTransportTest extends MuxTlsContract {

    @Override
    protected Protocol protocol(Settings options, String scheme) {
        return new Http2Protocol(options, scheme);
    }

    @Override
    protected MuxClient client(RawClient connected, String scheme) throws IOException {
        return new Http2MuxClient(connected, scheme);
    }
}

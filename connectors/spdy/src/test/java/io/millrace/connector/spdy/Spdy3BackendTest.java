package io.millrace.connector.spdy;

import io.millrace.protocol.Protocol;
import io.millrace.settings.Settings;
import io.millrace.testkit.BackendContract;
import io.millrace.testkit.InPart;

/** Backends with SPDY/3, which has no flow-control window for the connection. */
@InPart
final class Spdy3BackendTest extends BackendContract.WithoutTunnels {

    @Override
    protected Protocol protocol(Settings options, String scheme) {
        return new SpdyProtocol(options.with(SpdyOptions.VERSION, "3"), scheme);
    }

    @Override
    protected String scheme(boolean tls) {
        return tls ? "spdys3" : "spdy3";
    }

    @Override
    protected boolean hasInterim() {
        return false;
    }
}

package io.millrace.connector.spdy;

import io.millrace.protocol.Protocol;
import io.millrace.settings.Settings;
import io.millrace.testkit.BackendContract;

/** Backends with SPDY/3.1. */
final class SpdyBackendTest extends BackendContract.WithoutTunnels {

    @Override
    protected Protocol protocol(Settings options, String scheme) {
        return new SpdyProtocol(options, scheme);
    }

    @Override
    protected String scheme(boolean tls) {
        return tls ? "spdys" : "spdy";
    }

    @Override
    protected boolean hasInterim() {
        return false;
    }
}

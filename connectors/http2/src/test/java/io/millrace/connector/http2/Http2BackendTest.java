package io.millrace.connector.http2;

import io.millrace.protocol.Protocol;
import io.millrace.settings.Settings;
import io.millrace.testkit.BackendContract;

/** Backends with HTTP/2; its tunnels are tested by {@link TunnelsToBackendsTest}. */
final class Http2BackendTest extends BackendContract {

    @Override
    protected Protocol protocol(Settings options, String scheme) {
        return new Http2Protocol(options, scheme);
    }

    @Override
    protected String scheme(boolean tls) {
        return tls ? "h2" : "h2c";
    }
}

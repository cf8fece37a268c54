package io.millrace.connector.http2;

import io.millrace.protocol.Protocol;
import io.millrace.settings.Settings;
import io.millrace.testkit.ContractLink;
import io.millrace.testkit.WebSocketCarrierContract;
import java.io.IOException;

/** WebSockets on streams of HTTP/2 (RFC 8441) behave as over HTTP/1.1. */
abstract class Http2WebSocketContract extends WebSocketCarrierContract {

    @Override
    protected Protocol protocol() {
        return new Http2Protocol(Settings.DEFAULTS, "http");
    }

    @Override
    protected ContractLink link(ContractLink connection) throws IOException {
        return new Http2TunnelLink(connection);
    }
}

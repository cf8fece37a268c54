package io.millrace.testkit;

import io.millrace.http1.Http1Protocol;
import io.millrace.protocol.Protocol;
import io.millrace.settings.Settings;

/** WebSocket over HTTP/1.1 on a transport. On a connection it … */
public abstract class WebSocketContract extends WebSocketCarrierContract implements WebSocketHandshakeCases {

    @Override
    protected final Protocol protocol() {
        return new Http1Protocol(Settings.DEFAULTS, "http");
    }
}

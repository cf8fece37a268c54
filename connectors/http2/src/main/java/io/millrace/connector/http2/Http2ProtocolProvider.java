package io.millrace.connector.http2;

import io.millrace.protocol.Protocol;
import io.millrace.protocol.ProtocolProvider;
import io.millrace.settings.Setting;
import io.millrace.settings.Settings;
import java.util.List;

/** Provides HTTP/2 to server.xml. */
public final class Http2ProtocolProvider implements ProtocolProvider {

    /** For the service loader. */
    public Http2ProtocolProvider() {}

    @Override
    public String name() {
        return "http2";
    }

    @Override
    public List<Setting<?>> settings() {
        return Http2Options.all();
    }

    @Override
    public Protocol create(String scheme, Settings settings) {
        return new Http2Protocol(settings, scheme);
    }
}

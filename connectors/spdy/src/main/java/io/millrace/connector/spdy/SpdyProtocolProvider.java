package io.millrace.connector.spdy;

import io.millrace.protocol.Protocol;
import io.millrace.protocol.ProtocolProvider;
import io.millrace.settings.Setting;
import io.millrace.settings.Settings;
import java.util.List;

/** Provides SPDY to server.xml. */
public final class SpdyProtocolProvider implements ProtocolProvider {

    /** For the service loader. */
    public SpdyProtocolProvider() {}

    @Override
    public String name() {
        return "spdy";
    }

    @Override
    public List<Setting<?>> settings() {
        return SpdyOptions.all();
    }

    @Override
    public Protocol create(String scheme, Settings settings) {
        return new SpdyProtocol(settings, scheme);
    }
}

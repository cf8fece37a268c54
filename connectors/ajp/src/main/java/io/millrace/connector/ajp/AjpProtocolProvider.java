package io.millrace.connector.ajp;

import io.millrace.protocol.Protocol;
import io.millrace.protocol.ProtocolProvider;
import io.millrace.settings.Setting;
import io.millrace.settings.Settings;
import java.util.List;

/** Provides AJP to server.xml: {@code protocol="AJP/1.3"}. */
public final class AjpProtocolProvider implements ProtocolProvider {

    /** For the service loader. */
    public AjpProtocolProvider() {}

    @Override
    public String name() {
        return "ajp";
    }

    @Override
    public List<Setting<?>> settings() {
        return AjpOptions.all();
    }

    @Override
    public Protocol create(String scheme, Settings settings) {
        return new AjpProtocol(settings, scheme);
    }
}

package io.millrace.standalone;

import io.millrace.protocol.Protocol;
import io.millrace.protocol.ProtocolProvider;
import io.millrace.standalone.config.AjpVocabulary;
import io.millrace.standalone.config.Values;
import java.util.ServiceLoader;

/** Makes the protocols that are installed beside HTTP/1.1. */
final class ProtocolFactory {

    private ProtocolFactory() {}

    /**
     * AJP, as a Connector describes it.
     *
     * @throws IllegalArgumentException if it is not installed
     */
    static Protocol ajp(Values connector) {
        return provider("ajp").create(connector.text("scheme", "http"), AjpVocabulary.settings(connector));
    }

    private static ProtocolProvider provider(String name) {
        return ServiceLoader.load(ProtocolProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(provider -> provider.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("The protocol " + name
                        + " is not installed: add the artifact io.millrace:millrace-connector-" + name
                        + " to the class path."));
    }
}

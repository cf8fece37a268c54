package io.millrace.standalone.config;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Which transport the protocol attribute of a Connector means. */
final class Protocols {

    private static final String PACKAGE = "org.apache.coyote.http11.";

    private static final Map<String, String> TRANSPORTS = Map.of(
            "HTTP/1.1",
            "nio",
            "nio",
            "nio",
            "nio2",
            "nio2",
            "apr",
            "apr",
            "bio",
            "bio",
            PACKAGE + "Http11NioProtocol",
            "nio",
            PACKAGE + "Http11Nio2Protocol",
            "nio2",
            PACKAGE + "Http11AprProtocol",
            "apr",
            PACKAGE + "Http11Protocol",
            "bio");

    private Protocols() {}

    /** The name of the transport; null if it means none that is installed, which has been reported. */
    static @Nullable String transport(Values connector, Set<String> installed, Problems problems) {
        String protocol = connector.text("protocol", "HTTP/1.1");
        String transport = TRANSPORTS.get(protocol);
        if (transport != null && installed.contains(transport)) {
            return transport;
        }
        String found = "protocol=\"" + protocol + "\" on Connector: ";
        String reason;
        if (transport != null) {
            reason = "the transport '" + transport + "' is not installed";
        } else if (protocol.toUpperCase(Locale.ROOT).contains("AJP")) {
            reason = "AJP is not there yet";
        } else {
            reason = "unknown" + NearestName.suggestion(protocol, TRANSPORTS.keySet());
        }
        problems.error(
                connector.line("protocol"),
                found + reason + "; there is HTTP/1.1 on " + String.join(", ", new TreeSet<>(installed)));
        return null;
    }
}

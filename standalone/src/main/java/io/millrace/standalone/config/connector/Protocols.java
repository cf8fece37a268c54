package io.millrace.standalone.config.connector;

import io.millrace.io.DefaultTransport;
import io.millrace.protocol.ProtocolProvider;
import io.millrace.settings.Setting;
import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.xml.Problems;
import io.millrace.text.EditDistance;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Determines transport and protocol from the attribute protocol of a Connector. */
public final class Protocols {

    private static final String HTTP = "org.apache.coyote.http11.";
    private static final String AJP = "org.apache.coyote.ajp.";

    /** Those that name no transport. */
    private static final Set<String> ON_DEFAULT = Set.of("HTTP/1.1", "SPDY/3.1", "SPDY/3", "AJP/1.3");

    /** Those that name one. */
    private static final Map<String, String> TRANSPORTS = Map.ofEntries(
            Map.entry("nio", "nio"),
            Map.entry("nio2", "nio2"),
            Map.entry("apr", "apr"),
            Map.entry("bio", "bio"),
            Map.entry(HTTP + "Http11NioProtocol", "nio"),
            Map.entry(HTTP + "Http11Nio2Protocol", "nio2"),
            Map.entry(HTTP + "Http11AprProtocol", "apr"),
            Map.entry(HTTP + "Http11Protocol", "bio"),
            Map.entry(AJP + "AjpNioProtocol", "nio"),
            Map.entry(AJP + "AjpNio2Protocol", "nio2"),
            Map.entry(AJP + "AjpAprProtocol", "apr"),
            Map.entry(AJP + "AjpProtocol", "bio"));

    /** Gone since Tomcat 8.5. */
    private static final String OF_TOMCAT_7 = HTTP + "Http11Protocol";

    private Protocols() {}

    /**
     * Returns the provider of a protocol other than HTTP/1.1.
     *
     * @throws IllegalArgumentException if it is not installed
     */
    public static ProtocolProvider provider(String name) {
        return find(name)
                .orElseThrow(() -> new IllegalArgumentException("The protocol " + name
                        + " is not installed: add the artifact io.millrace:millrace-connector-" + name
                        + " to the class path."));
    }

    /** The settings that a protocol declares; empty if it is not installed. */
    public static List<Setting<?>> settings(String name) {
        return find(name).map(ProtocolProvider::settings).orElse(List.of());
    }

    private static Optional<ProtocolProvider> find(String name) {
        return ServiceLoader.load(ProtocolProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(provider -> provider.name().equals(name))
                .findFirst();
    }

    /** Whether it names no transport, so that the default one is used. */
    public static boolean isOnDefault(String protocol) {
        return ON_DEFAULT.contains(protocol);
    }

    /** The values that select AJP. */
    public static List<String> ofAjp() {
        return Stream.concat(Stream.of("AJP/1.3"), TRANSPORTS.keySet().stream().filter(name -> name.startsWith(AJP)))
                .toList();
    }

    /** Returns the name of the transport; reports an unknown or missing one and returns null. */
    public static @Nullable String transport(Element connector, Set<String> installed, Problems problems) {
        String protocol = connector.get(ConnectorKind.PROTOCOL);
        String transport = installed.contains(protocol)
                ? protocol
                : isOnDefault(protocol) ? DefaultTransport.among(installed) : TRANSPORTS.get(protocol);
        if (transport != null && installed.contains(transport)) {
            if (OF_TOMCAT_7.equals(protocol)) {
                problems.warning(
                        connector.line(ConnectorKind.PROTOCOL),
                        "protocol=\"" + protocol + "\" on Connector is the blocking connector of Tomcat 7, and so the"
                                + " transport bio; HTTP/1.1 is the default transport");
            }
            return transport;
        }
        String reason = transport != null
                ? "the transport '" + transport + "' is not installed"
                : "unknown"
                        + EditDistance.suggestion(
                                protocol,
                                Stream.concat(ON_DEFAULT.stream(), TRANSPORTS.keySet().stream())
                                        .toList());
        problems.error(
                connector.line(ConnectorKind.PROTOCOL),
                "protocol=\"" + protocol + "\" on Connector: " + reason + "; there are HTTP/1.1 and AJP/1.3 on "
                        + String.join(", ", new TreeSet<>(installed)));
        return null;
    }
}

package io.millrace;

import io.millrace.exchange.RequestMeter;
import io.millrace.io.OpenConnection;
import io.millrace.tls.TlsOptions;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.Locale;

/**
 * What a connector is doing; out of date as soon as it is read, except for the meter.
 *
 * @param address on which it listens
 * @param requests counts its requests, and knows those in progress
 * @param open the number of open connections
 * @param connections the open connections
 */
public record ConnectorState(
        Connector connector, SocketAddress address, RequestMeter requests, int open, List<OpenConnection> connections) {

    public ConnectorState {
        connections = List.copyOf(connections);
    }

    /** The name that Tomcat would give it: {@code http-nio-8080}, {@code http-nio-/run/shop.sock}. */
    public String name() {
        return name(connector, address);
    }

    static String name(Connector connector, SocketAddress address) {
        TlsOptions tls = connector.tls();
        String kind = !connector.isHttp()
                ? connector.protocols().get(0).id().split("/", 2)[0]
                : tls == null
                        ? "http"
                        : "https-" + tls.get(TlsOptions.IMPLEMENTATION).name().toLowerCase(Locale.ROOT);
        String configured = connector.address() == null ? "" : "-" + connector.address();
        String port = address instanceof InetSocketAddress inet ? String.valueOf(inet.getPort()) : address.toString();
        return kind + "-" + connector.transport() + configured + "-" + port;
    }
}

package io.millrace.standalone;

import io.millrace.Connector;
import io.millrace.ConnectorBuilder;
import io.millrace.http.EncodedSlash;
import io.millrace.http1.Http1Options;
import io.millrace.standalone.config.ServerConfig;
import io.millrace.standalone.config.Values;
import java.time.Duration;
import java.util.Locale;

/** Makes connectors of what server.xml says. */
final class ConnectorFactory {

    private ConnectorFactory() {}

    static Connector connector(ServerConfig.Connector config) {
        Values values = config.values();
        ConnectorBuilder builder = Connector.builder()
                .transport(config.transport())
                .port(config.port())
                .acceptCount(values.number("acceptCount"))
                .maxConnections(values.number("maxConnections"))
                .tcpNoDelay(values.flag(values.isSet("socket.tcpNoDelay") ? "socket.tcpNoDelay" : "tcpNoDelay"))
                .soKeepAlive(values.flag("socket.soKeepAlive"))
                .soReuseAddress(values.flag("socket.soReuseAddress"))
                .soLinger(linger(values))
                .sendBuffer(values.number("socket.txBufSize"))
                .receiveBuffer(values.number("socket.rxBufSize"))
                .scheme(values.text("scheme", "http"))
                .secure(values.flag("secure"))
                .proxyPort(values.number("proxyPort"))
                .http1(http1(values));
        String address = config.address();
        if (address != null) {
            builder.address(address);
        }
        String proxyName = values.text("proxyName");
        if (proxyName != null) {
            builder.proxyName(proxyName);
        }
        FrontEndFactory.proxyProtocol(values, builder);
        return builder.build();
    }

    /** soLingerOn and soLingerTime are the longer way to say connectionLinger. */
    private static int linger(Values values) {
        if (values.isSet("socket.soLingerOn")) {
            return values.flag("socket.soLingerOn") ? (int) values.number("socket.soLingerTime", -1) : -1;
        }
        return values.number("connectionLinger");
    }

    private static Http1Options http1(Values values) {
        Duration connectionTimeout = timeout(values, "connectionTimeout");
        return Http1Options.builder()
                .maxHttpHeaderSize(values.number("maxHttpHeaderSize"))
                .maxHeaderCount(unlimited(values.number("maxHeaderCount")))
                .maxTrailerSize(unlimited(values.number("maxTrailerSize")))
                .maxExtensionSize(unlimited(values.number("maxExtensionSize")))
                .maxSwallowSize(values.number("maxSwallowSize", 0))
                .maxKeepAliveRequests(keepAliveRequests(values.number("maxKeepAliveRequests")))
                .connectionTimeout(connectionTimeout)
                .keepAliveTimeout(
                        values.isSet("keepAliveTimeout") ? timeout(values, "keepAliveTimeout") : connectionTimeout)
                .encodedSolidusHandling(EncodedSlash.valueOf(
                        values.text("encodedSolidusHandling", "reject").toUpperCase(Locale.ROOT)))
                .relaxedPathChars(values.text("relaxedPathChars", ""))
                .relaxedQueryChars(values.text("relaxedQueryChars", ""))
                .allowHostHeaderMismatch(values.flag("allowHostHeaderMismatch"))
                .server(values.text("server"))
                .build();
    }

    /** Tomcat's -1 waits for ever. */
    private static Duration timeout(Values values, String name) {
        Duration timeout = values.duration(name);
        return timeout.isNegative() ? Duration.ZERO : timeout;
    }

    /** Tomcat's -1 is no limit. */
    private static int unlimited(int value) {
        return value < 0 ? Integer.MAX_VALUE : value;
    }

    /** Tomcat treats 0 as 1: no keep-alive. */
    private static int keepAliveRequests(int value) {
        return value == 0 ? 1 : value;
    }
}

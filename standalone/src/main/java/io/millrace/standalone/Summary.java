package io.millrace.standalone;

import io.millrace.standalone.config.ServerConfig;
import io.millrace.standalone.config.Values;

/** One line on what a port will be. */
final class Summary {

    private Summary() {}

    static String of(ServerConfig.Connector connector) {
        Values values = connector.values();
        String address = connector.address();
        return "port " + (connector.port() == 0 ? "0 (any free one)" : String.valueOf(connector.port()))
                + (address == null ? " on all addresses" : " on " + address)
                + ": HTTP/1.1 over " + connector.transport() + proxyProtocol(values)
                + ", no TLS; " + limit(values.number("maxConnections")) + " connections, "
                + connector.threads().number("maxThreads") + " threads, headers "
                + values.number("maxHttpHeaderSize") + " bytes, forms "
                + limit(values.number("maxPostSize", 0)) + " bytes, timeout "
                + values.number("connectionTimeout") + " ms, "
                + limit(values.number("maxKeepAliveRequests")) + " requests a connection";
    }

    private static String proxyProtocol(Values values) {
        String presence = values.text("proxyProtocol", "off");
        return presence.equals("off")
                ? ""
                : ", PROXY protocol " + presence + " from " + values.text("proxyProtocolTrusted");
    }

    private static String limit(long value) {
        return value < 0 ? "any number of" : String.valueOf(value);
    }
}

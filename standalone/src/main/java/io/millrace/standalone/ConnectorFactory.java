package io.millrace.standalone;

import io.millrace.Connector;
import io.millrace.ConnectorBuilder;
import io.millrace.ConnectorOptions;
import io.millrace.http1.Http1Protocol;
import io.millrace.protocol.Protocol;
import io.millrace.standalone.config.Protocols;
import io.millrace.standalone.config.ServerConfig;
import io.millrace.standalone.config.Values;
import io.millrace.tls.TlsOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Makes connectors of what server.xml says. */
final class ConnectorFactory {

    private ConnectorFactory() {}

    static Connector connector(ServerConfig.Connector config, WorkerPools pools, Path base) {
        Values values = config.values();
        ConnectorBuilder builder = Connector.builder()
                .transport(config.transport())
                .port(config.port())
                .settings(config.settings())
                .workers(pools.of(config))
                .summary(Summary.what(config));
        String scheme = config.tls() == null ? config.settings().get(ConnectorOptions.SCHEME) : "https";
        if (config.isAjp()) {
            builder.protocol(Protocols.provider("ajp").create(scheme, config.settings()));
        }
        if (config.http2() != null || !config.spdy().isEmpty()) {
            builder.protocols(protocols(config, scheme));
        }
        String socket = values.text("unixDomainSocketPath");
        if (socket != null) {
            builder.unixSocket(base.resolve(socket), values.text("unixDomainSocketPathPermissions", ""));
        }
        String address = config.address();
        if (address != null) {
            builder.address(address);
        }
        FrontEndFactory.proxyProtocol(values, builder);
        TlsOptions tls = config.tls();
        if (tls != null) {
            builder.tls(tls);
        }
        return builder.build();
    }

    /** Of a port with streams: the most preferred first. */
    private static List<Protocol> protocols(ServerConfig.Connector config, String scheme) {
        List<Protocol> protocols = new ArrayList<>();
        Values http2 = config.http2();
        if (http2 != null) {
            protocols.add(Protocols.provider("http2").create(scheme, http2.settings(config.settings())));
        }
        for (Values spdy : config.spdy()) {
            protocols.add(Protocols.provider("spdy").create(scheme, spdy.settings(config.settings())));
        }
        if (!config.isSpdy()) {
            protocols.add(new Http1Protocol(config.settings(), scheme));
        }
        return protocols;
    }
}

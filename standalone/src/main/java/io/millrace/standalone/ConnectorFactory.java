package io.millrace.standalone;

import static io.millrace.ConnectorOptions.UNIX_DOMAIN_SOCKET_PATH;

import io.millrace.Connector;
import io.millrace.ConnectorBuilder;
import io.millrace.ConnectorOptions;
import io.millrace.http1.Http1Protocol;
import io.millrace.protocol.Protocol;
import io.millrace.settings.Settings;
import io.millrace.standalone.config.Protocols;
import io.millrace.standalone.config.ServerConfig;
import io.millrace.standalone.config.Values;
import io.millrace.tls.TlsOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Creates connectors from server.xml. */
final class ConnectorFactory {

    private ConnectorFactory() {}

    static Connector connector(ServerConfig.Connector config, WorkerPools pools, Path base) {
        Settings settings = config.settings();
        ConnectorBuilder builder = Connector.builder()
                .transport(config.transport())
                .port(config.port())
                .settings(settings)
                .workers(pools.of(config))
                .summary(Summary.what(config));
        String scheme = config.tls() == null ? settings.get(ConnectorOptions.SCHEME) : "https";
        if (config.isAjp()) {
            builder.protocol(Protocols.provider("ajp").create(scheme, settings));
        }
        if (config.http2() != null || !config.spdy().isEmpty()) {
            builder.protocols(protocols(config, scheme));
        }
        Path socket = settings.find(UNIX_DOMAIN_SOCKET_PATH);
        if (socket != null) {
            builder.with(UNIX_DOMAIN_SOCKET_PATH, base.resolve(socket));
        }
        String address = config.address();
        if (address != null) {
            builder.address(address);
        }
        TlsOptions tls = config.tls();
        if (tls != null) {
            builder.tls(tls);
        }
        return builder.build();
    }

    /** The protocols of a connector with HTTP/2 or SPDY, the most preferred first. */
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

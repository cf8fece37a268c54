package io.millrace.standalone;

import io.millrace.Connector;
import io.millrace.ConnectorBuilder;
import io.millrace.http1.Http1Protocol;
import io.millrace.protocol.ProtocolOptions;
import io.millrace.servlet.settings.ConnectorSettings;
import io.millrace.servlet.settings.FormLimits;
import io.millrace.standalone.config.Protocols;
import io.millrace.standalone.config.ServerConfig;
import io.millrace.standalone.config.Values;
import io.millrace.tls.TlsOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** Makes connectors of what server.xml says. */
final class ConnectorFactory {

    private ConnectorFactory() {}

    static Connector connector(ServerConfig.Connector config, WorkerPools pools, Path base) {
        Values values = config.values();
        ConnectorBuilder builder = Connector.builder()
                .transport(config.transport())
                .port(config.port())
                .settings(config.settings())
                .scheme(values.text("scheme", "http"))
                .secure(values.flag("secure"))
                .proxyPort(values.number("proxyPort"))
                .workers(pools.of(config))
                .required(values.flag("throwOnFailure"))
                .bindOnInit(values.flag("bindOnInit"))
                .inheritedChannel(values.flag("useInheritedChannel"))
                .summary(Summary.what(config))
                .attribute(ConnectorSettings.KEY, settings(config));
        CompressionFactory.compress(values, builder);
        CompressionFactory.decompress(values, builder);
        if (config.isAjp()) {
            builder.protocol(Protocols.provider("ajp").create(values.text("scheme", "http"), config.settings()));
        }
        Values http2 = config.http2();
        if (http2 != null) {
            String scheme = config.tls() == null ? values.text("scheme", "http") : "https";
            builder.protocols(List.of(
                    Protocols.provider("http2").create(scheme, http2.settings(config.settings())),
                    new Http1Protocol(config.settings(), scheme)));
        }
        String socket = values.text("unixDomainSocketPath");
        if (socket != null) {
            builder.unixSocket(base.resolve(socket), values.text("unixDomainSocketPathPermissions", ""));
        }
        String address = config.address();
        if (address != null) {
            builder.address(address);
        }
        String proxyName = values.text("proxyName");
        if (proxyName != null) {
            builder.proxyName(proxyName);
        }
        FrontEndFactory.proxyProtocol(values, builder);
        TlsOptions tls = config.tls();
        if (tls != null) {
            builder.tls(tls); // after scheme and secure, which TLS decides
        }
        return builder.build();
    }

    private static ConnectorSettings settings(ServerConfig.Connector config) {
        Values values = config.values();
        FormLimits forms = new FormLimits(
                values.number("maxParameterCount"),
                values.number("maxPostSize", -1),
                values.number("maxPartCount"),
                values.number("maxPartHeaderSize"));
        return new ConnectorSettings(
                forms,
                Set.copyOf(names(values, "parseBodyMethods")),
                config.settings().get(ProtocolOptions.URI_ENCODING),
                values.flag("useBodyEncodingForURI"),
                values.number("maxCookieCount"),
                values.number("maxSavePostSize"),
                timeout(values, "asyncTimeout"),
                values.number("redirectPort"),
                values.flag("enableLookups"),
                values.flag("allowTrace"),
                values.flag("xpoweredBy"),
                values.flag("useSendfile"));
    }

    private static List<String> names(Values values, String attribute) {
        return Arrays.stream(values.text(attribute, "").split(","))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .toList();
    }

    /** Tomcat's -1 waits for ever. */
    private static Duration timeout(Values values, String name) {
        Duration timeout = values.duration(name);
        return timeout.isNegative() ? Duration.ZERO : timeout;
    }
}

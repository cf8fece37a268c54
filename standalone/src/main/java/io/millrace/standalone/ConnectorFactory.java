package io.millrace.standalone;

import io.millrace.Connector;
import io.millrace.ConnectorBuilder;
import io.millrace.http.EncodedSlash;
import io.millrace.http1.ContinueTiming;
import io.millrace.http1.Http1Options;
import io.millrace.servlet.settings.ConnectorSettings;
import io.millrace.servlet.settings.FormLimits;
import io.millrace.standalone.config.ServerConfig;
import io.millrace.standalone.config.Timeouts;
import io.millrace.standalone.config.Values;
import io.millrace.tls.TlsOptions;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Makes connectors of what server.xml says. */
final class ConnectorFactory {

    private static final int LEAST_HEADER_SIZE = 64;

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
                .attribute(ConnectorSettings.KEY, settings(values))
                .http1(http1(values));
        CompressionFactory.compress(values, builder);
        CompressionFactory.decompress(values, builder);
        if (config.isAjp()) {
            builder.protocol(ProtocolFactory.ajp(values));
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

    private static ConnectorSettings settings(Values values) {
        FormLimits forms = new FormLimits(
                values.number("maxParameterCount"),
                values.number("maxPostSize", -1),
                values.number("maxPartCount"),
                values.number("maxPartHeaderSize"));
        return new ConnectorSettings(
                forms,
                Set.copyOf(names(values, "parseBodyMethods")),
                charset(values),
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

    private static Charset charset(Values values) {
        return Charset.forName(values.text("URIEncoding", "UTF-8"));
    }

    private static Http1Options http1(Values values) {
        Duration connectionTimeout = timeout(values, Timeouts.ofConnection(values));
        return Http1Options.builder()
                .maxHttpRequestHeaderSize(headerSize(values, "maxHttpRequestHeaderSize"))
                .maxHttpResponseHeaderSize(headerSize(values, "maxHttpResponseHeaderSize"))
                .maxHeaderCount(unlimited(values.number("maxHeaderCount")))
                .maxTrailerSize(unlimited(values.number("maxTrailerSize")))
                .maxExtensionSize(unlimited(values.number("maxExtensionSize")))
                .maxSwallowSize(values.number("maxSwallowSize", 0))
                .maxKeepAliveRequests(keepAliveRequests(values.number("maxKeepAliveRequests")))
                .connectionTimeout(connectionTimeout)
                .keepAliveTimeout(timeout(values, Timeouts.ofKeepAlive(values)))
                .uploadTimeout(
                        values.flag("disableUploadTimeout")
                                ? connectionTimeout
                                : timeout(values, "connectionUploadTimeout"))
                .minUploadRate(values.number("minUploadRate"))
                .minUploadRateGrace(timeout(values, "minUploadRateGrace"))
                .pathCharset(charset(values))
                .rejectIllegalHeader(values.flag("rejectIllegalHeader"))
                .allowHalfClose(values.flag("allowHalfClose"))
                .allowedTrailerHeaders(names(values, "allowedTrailerHeaders"))
                .continueTiming(
                        values.text("continueResponseTiming", "").strip().equalsIgnoreCase("immediately")
                                ? ContinueTiming.IMMEDIATELY
                                : ContinueTiming.ON_READ)
                .keepAliveHeader(values.flag("useKeepAliveResponseHeader"))
                .encodedSolidusHandling(EncodedSlash.valueOf(
                        values.text("encodedSolidusHandling", "reject").strip().toUpperCase(Locale.ROOT)))
                .relaxedPathChars(values.relaxed("relaxedPathChars"))
                .relaxedQueryChars(values.relaxed("relaxedQueryChars"))
                .allowHostHeaderMismatch(values.flag("allowHostHeaderMismatch"))
                .server(values.text("server"))
                .build();
    }

    /** In one direction, else in both. Smaller ones than the protocol has use for are as good as the smallest. */
    private static int headerSize(Values values, String attribute) {
        int size = values.number(values.isSet(attribute) ? attribute : "maxHttpHeaderSize");
        return Math.max(LEAST_HEADER_SIZE, size);
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

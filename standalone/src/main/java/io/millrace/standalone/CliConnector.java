package io.millrace.standalone;

import static io.millrace.protocol.ProtocolOptions.CONNECTION_TIMEOUT;

import io.millrace.Connector;
import io.millrace.ConnectorBuilder;
import io.millrace.ConnectorOptions;
import io.millrace.http1.Http1Protocol;
import io.millrace.io.DefaultTransport;
import io.millrace.io.TransportOptions;
import io.millrace.io.VirtualThreads;
import io.millrace.protocol.Protocol;
import io.millrace.settings.SettingType;
import io.millrace.settings.Settings;
import io.millrace.standalone.cli.Arguments;
import io.millrace.standalone.cli.OperatorException;
import io.millrace.standalone.cli.Option;
import io.millrace.standalone.cli.UsageException;
import io.millrace.standalone.config.connector.DefaultPort;
import io.millrace.standalone.config.connector.Protocols;
import io.millrace.tls.TlsFinding;
import io.millrace.tls.TlsImplementation;
import io.millrace.tls.TlsOptions;
import io.millrace.tls.TlsSetting;
import io.millrace.tls.material.ReloadingEngines;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The connector of a command without a configuration file, and the options that configure it. */
final class CliConnector {

    private static final String PORT = "--port";
    private static final String ADDRESS = "--address";
    private static final String TRANSPORT = "--transport";
    private static final String HTTP2 = "--http2";
    private static final String TLS_CERT = "--tls-cert";
    private static final String TLS_KEY = "--tls-key";
    private static final String VIRTUAL_THREADS = "--virtual-threads";
    private static final String REQUEST_ID = "--request-id";

    private static final List<Option> OPTIONS = List.of(
            Option.of(
                    PORT,
                    "N",
                    "Port to listen on, 0 for a free one. Default: environment variable MILLRACE_HTTP_PORT, else 8080,"
                            + " with TLS 8443"),
            Option.of(ADDRESS, "A", "Address to listen on. Default: all"),
            Option.of(TRANSPORT, "T", "Transport. Default: nio if it is installed"),
            Option.of(
                    TLS_CERT,
                    "FILE",
                    "Serve HTTPS with this certificate, a PEM file that may also contain its chain. Needs " + TLS_KEY),
            Option.of(TLS_KEY, "FILE", "The unencrypted private key of that certificate, a PEM file"),
            Option.flag(
                    HTTP2,
                    "Enable HTTP/2 besides HTTP/1.1: with TLS for clients that select h2 by ALPN, without TLS for"
                            + " those that begin with its preface"),
            Option.flag(VIRTUAL_THREADS, "Run each request on a virtual thread of its own. Needs Java 21 or later"),
            Option.flag(
                    REQUEST_ID,
                    "Give each request an id, in X-Request-Id and traceparent, the logs, and requests to backends"));

    private CliConnector() {}

    /** The options of the connector, followed by those that a command has besides. */
    static List<Option> optionsAnd(List<Option> last, Option... others) {
        return Stream.of(OPTIONS, List.of(others), last).flatMap(List::stream).toList();
    }

    /**
     * Whether requests are to run on virtual threads.
     *
     * @throws OperatorException if this version of Java has none
     */
    static boolean virtualThreads(Arguments arguments) throws OperatorException {
        boolean wanted = arguments.flag(VIRTUAL_THREADS);
        if (wanted && !VirtualThreads.areAvailable()) {
            throw new OperatorException(VIRTUAL_THREADS + ": virtual threads need Java 21 or later, this is Java "
                    + Runtime.version().feature()
                    + "; leave the option out, or run a later Java (JAVA_HOME selects it)");
        }
        return wanted;
    }

    /** Whether requests have ids. */
    static boolean givesIds(Arguments arguments) {
        return arguments.flag(REQUEST_ID);
    }

    static Connector of(Arguments arguments) throws OperatorException, UsageException {
        String named = arguments.text(TRANSPORT);
        String transport = named == null ? DefaultTransport.name() : named;
        InstalledTransports.require(transport);
        TlsOptions tls = tls(arguments, transport);
        Settings settings = Settings.DEFAULTS.with(CONNECTION_TIMEOUT, Duration.ofSeconds(20));
        if (virtualThreads(arguments)) {
            settings = settings.with(TransportOptions.THREADS, TransportOptions.Threads.VIRTUAL);
        }
        settings = settings.with(ConnectorOptions.REQUEST_ID, givesIds(arguments));
        ConnectorBuilder builder =
                Connector.builder().port(port(arguments, tls != null)).settings(settings);
        if (named != null) {
            builder.transport(named);
        }
        if (tls != null) {
            builder.tls(tls);
        }
        if (arguments.flag(HTTP2)) {
            String scheme = tls == null ? "http" : "https";
            builder.protocols(List.of(http2(settings, scheme), new Http1Protocol(settings, scheme)));
        }
        String address = arguments.text(ADDRESS);
        return address == null ? builder.build() : builder.address(address).build();
    }

    private static int port(Arguments arguments, boolean tls) throws OperatorException, UsageException {
        String text = arguments.text(PORT);
        try {
            if (text != null) {
                return SettingOptions.value(SettingType.PORT, PORT, text);
            }
            return tls ? DefaultPort.ofTls() : DefaultPort.get();
        } catch (IllegalArgumentException wrong) {
            throw new OperatorException(String.valueOf(wrong.getMessage()));
        }
    }

    private static Protocol http2(Settings settings, String scheme) throws OperatorException {
        try {
            return Protocols.provider("http2").create(scheme, settings);
        } catch (IllegalArgumentException notInstalled) {
            throw new OperatorException(HTTP2 + ": " + notInstalled.getMessage());
        }
    }

    /** Null for plain text. Reads the files here, so that an error is reported in one line. */
    private static @Nullable TlsOptions tls(Arguments arguments, String transport)
            throws OperatorException, UsageException {
        Path certificate = arguments.path(TLS_CERT);
        Path key = arguments.path(TLS_KEY);
        if (certificate == null && key == null) {
            return null;
        }
        if (certificate == null) {
            throw new UsageException(TLS_KEY + " without " + TLS_CERT
                    + ": expected both; if the certificate is in the same file, name it twice");
        }
        if (key == null) {
            throw new UsageException(TLS_CERT + " without " + TLS_KEY
                    + ": expected both; if the key is in the same file, name it twice");
        }
        TlsImplementation usual = transport.equals("apr") ? TlsImplementation.AUTO : TlsImplementation.JSSE;
        TlsOptions options = TlsOptions.pem(certificate, key).with(TlsOptions.IMPLEMENTATION, usual);
        for (TlsFinding finding : ReloadingEngines.inspect(options).findings()) {
            if (finding.isError()) {
                throw refused(finding, key);
            }
        }
        return options;
    }

    private static OperatorException refused(TlsFinding finding, Path key) {
        return switch (finding.setting()) {
            case KEY_FILE -> new OperatorException(TLS_KEY + ": " + finding.text());
            case KEY_PASSWORD ->
                new OperatorException(TLS_KEY + ": " + finding.text() + "; decrypt it with 'openssl pkey -in " + key
                        + " -out FILE', or use server.xml, where " + TlsSetting.KEY_PASSWORD.attribute()
                        + " sets a password");
            default -> new OperatorException(TLS_CERT + ": " + finding.text());
        };
    }
}

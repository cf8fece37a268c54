package io.millrace.standalone.config.connector;

import io.millrace.http1.Http1Options;
import io.millrace.protocol.HttpOptions;
import io.millrace.protocol.ProtocolOptions;
import io.millrace.settings.Setting;
import io.millrace.settings.SettingType;
import io.millrace.standalone.config.schema.Attribute;
import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.xml.Problems;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Tomcat 9's AJP connector, with its defaults: the attributes of the HTTP connector that apply to AJP, and its own. */
public final class AjpConnector extends ConnectorKind {

    private static final SettingType<String> NO_TLS = SettingType.text(
            "false, because AJP has no TLS; use a tunnel between the front end and this server, or HTTP over TLS",
            "false"::equalsIgnoreCase);

    private static final List<Attribute<?>> UNLIKE_HTTP = List.of(
            Attribute.of(PORT, "8009"),
            Attribute.of(ADDRESS, "127.0.0.1"),
            Attribute.of(ProtocolOptions.CONNECTION_TIMEOUT, "-1"),
            Attribute.sets(SSL_ENABLED.name(), NO_TLS, "false", null));

    /** Attributes that apply to HTTP only. */
    private static final Set<String> HTTP_ONLY = Stream.of(
                    Http1Options.all().stream().map(Setting::name),
                    HttpOptions.all().stream().map(Setting::name),
                    Stream.of("maxHttpHeaderSize", "disableUploadTimeout"))
            .flatMap(names -> names)
            .collect(Collectors.toUnmodifiableSet());

    /** Its attributes of the protocol are unknown if the module is not installed. */
    public AjpConnector() {
        super(
                replaced(
                        ofHttp().stream()
                                .<Attribute<?>>map(AjpConnector::unlessHttpOnly)
                                .toList(),
                        UNLIKE_HTTP,
                        Attribute.of(Protocols.settings("ajp"))),
                "SSLHostConfig");
    }

    private static Attribute<?> unlessHttpOnly(Attribute<?> attribute) {
        String byDefault = attribute.byDefault();
        return HTTP_ONLY.contains(attribute.name())
                ? Attribute.ignored(attribute.name(), byDefault == null ? "" : byDefault, "it applies to HTTP only")
                : attribute;
    }

    /** Requires a secret: without one, any client that reaches the port can pose as any user. */
    @Override
    public void checkPort(Element connector, Problems problems) {
        super.checkPort(connector, problems);
        if (attribute("secret") == null) {
            problems.error(connector.line(PROTOCOL), "AJP/1.3 is not installed: add millrace-connector-ajp to lib");
            return;
        }
        if (hasSecret(connector)) {
            return;
        }
        String address = connector.find(ADDRESS);
        if (Boolean.parseBoolean(connector.shown("secretRequired"))) {
            String suggested = suggestion();
            Integer port = connector.find(PORT);
            problems.error(
                    connector.line(PROTOCOL),
                    "the AJP Connector has no secret, so anybody who can reach its port could pose as any user. Set one here,"
                            + " and in httpd (mod_jk: worker.NAME.secret):\n    <Connector protocol=\"AJP/1.3\" port=\""
                            + port
                            + "\" secret=\"" + suggested + "\" />\n    ProxyPass \"/\" \"ajp://127.0.0.1:" + port
                            + "/\" secret=" + suggested
                            + "\n  or set secretRequired=\"false\" if only the front end can reach the port");
        } else if (!isLoopback(address)) {
            problems.warning(
                    connector.line("secretRequired"),
                    "secretRequired=\"false\" without a secret on an AJP Connector with address=\"" + address
                            + "\": anybody who can reach it can pose as any user; make sure that only the front end can");
        }
    }

    /** Whether a secret is written, which is not empty. */
    public static boolean hasSecret(Element connector) {
        return Stream.of("secret", "requiredSecret")
                .map(connector::written)
                .anyMatch(secret -> secret != null && !secret.isEmpty());
    }

    private static String suggestion() {
        byte[] random = new byte[16];
        new SecureRandom().nextBytes(random);
        return HexFormat.of().formatHex(random);
    }
}

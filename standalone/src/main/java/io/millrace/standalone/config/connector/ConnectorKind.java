package io.millrace.standalone.config.connector;

import static io.millrace.http1.Http1Options.UPLOAD_TIMEOUT;
import static io.millrace.io.TransportOptions.SO_LINGER;
import static io.millrace.protocol.HttpOptions.MAX_REQUEST_HEADER_SIZE;
import static io.millrace.protocol.HttpOptions.MAX_RESPONSE_HEADER_SIZE;
import static io.millrace.protocol.ProtocolOptions.CONNECTION_TIMEOUT;
import static io.millrace.settings.SettingType.BOOLEAN;
import static io.millrace.settings.SettingType.FLAG;
import static io.millrace.settings.SettingType.TEXT;

import io.millrace.ConnectorOptions;
import io.millrace.compression.Compression;
import io.millrace.compression.CompressionMode;
import io.millrace.compression.RequestDecompression;
import io.millrace.http1.Http1Options;
import io.millrace.io.TransportOptions;
import io.millrace.net.AddressSet;
import io.millrace.protocol.HttpOptions;
import io.millrace.protocol.ProtocolOptions;
import io.millrace.proxyprotocol.ProxyProtocol;
import io.millrace.servlet.settings.ServletOptions;
import io.millrace.settings.Setting;
import io.millrace.settings.SettingGroup;
import io.millrace.settings.SettingType;
import io.millrace.standalone.config.schema.Attribute;
import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.schema.TomcatAttributes;
import io.millrace.standalone.config.xml.Problems;
import io.millrace.standalone.config.xml.XmlElement;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Tomcat 9's HTTP connector, with its defaults. The protocols of other modules extend it. */
public class ConnectorKind extends Element.Kind {

    private static final SettingGroup GROUP = new SettingGroup();

    /** The port; without it MILLRACE_HTTP_PORT, else 8080. */
    public static final Setting<Integer> PORT = GROUP.optional("port", SettingType.PORT);

    /** The address to listen on; all without it. */
    public static final Setting<String> ADDRESS = GROUP.optional("address", TEXT);

    /** Selects protocol and transport. */
    public static final Setting<String> PROTOCOL = GROUP.add("protocol", TEXT, "HTTP/1.1");

    /** Whether there is TLS. */
    public static final Setting<Boolean> SSL_ENABLED = GROUP.add("SSLEnabled", BOOLEAN, false);

    /** The name of an Executor. */
    public static final Setting<String> EXECUTOR = GROUP.optional("executor", TEXT);

    /** "admin" makes it a port for administration only. */
    public static final Setting<String> ROLE =
            new SettingGroup().optional("role", SettingType.text("admin", "admin"::equals));

    /** Who may connect to a port for administration, besides this machine. */
    public static final Setting<AddressSet> ALLOW =
            new SettingGroup().add("allow", AddressSet.TYPE, AddressSet.parse(""), null);

    /** Precedes the timeout that depends on it. */
    private static final Setting<Boolean> DISABLE_UPLOAD_TIMEOUT =
            new SettingGroup().add("disableUploadTimeout", BOOLEAN, true);

    private static final Setting<Boolean> SO_LINGER_ON = new SettingGroup().optional("socket.soLingerOn", FLAG);

    /** Tomcat's attribute for both header sizes. It precedes the settings, so that they override it. */
    private static final Attribute<Integer> BOTH_HEADS = Attribute.sets(
            "maxHttpHeaderSize",
            MAX_REQUEST_HEADER_SIZE.type(),
            "8192",
            (settings, size, connector) ->
                    settings.with(MAX_REQUEST_HEADER_SIZE, size).with(MAX_RESPONSE_HEADER_SIZE, size));

    private static final List<Attribute<?>> TIMES = List.of(
            Attribute.sets(
                    "socket.soTimeout",
                    CONNECTION_TIMEOUT.type(),
                    null,
                    (settings, time, connector) ->
                            isSet("connectionTimeout", connector) ? settings : settings.with(CONNECTION_TIMEOUT, time)),
            Attribute.sets(
                    UPLOAD_TIMEOUT.name(),
                    UPLOAD_TIMEOUT.type(),
                    UPLOAD_TIMEOUT.xmlDefault(),
                    (settings, time, connector) ->
                            settings.get(DISABLE_UPLOAD_TIMEOUT) ? settings : settings.with(UPLOAD_TIMEOUT, time)));

    private static final List<Attribute<?>> SOCKETS = List.of(
            Attribute.alias("socket.tcpNoDelay", TransportOptions.TCP_NO_DELAY),
            Attribute.sets(
                    SO_LINGER_ON.name(),
                    FLAG,
                    null,
                    (settings, on, connector) -> settings.with(SO_LINGER_ON, on).with(SO_LINGER, -1)),
            Attribute.sets(
                    "socket.soLingerTime",
                    SO_LINGER.type(),
                    null,
                    (settings, time, connector) -> Boolean.TRUE.equals(settings.find(SO_LINGER_ON))
                            ? settings.with(SO_LINGER, time)
                            : settings));

    /** Case-sensitive, as in Tomcat. A number is the minimum size, and overrides compressionMinSize. */
    private static final Attribute<String> COMPRESSION = Attribute.sets(
            Compression.MODE.name(),
            SettingType.text("off, on, force or a number of bytes", value -> value.matches("off|on|force|\\d{1,9}")),
            Compression.MODE.xmlDefault(),
            (settings, value, connector) -> Character.isDigit(value.charAt(0))
                    ? settings.with(Compression.MODE, CompressionMode.ON).withText(Compression.MIN_SIZE, value)
                    : settings.withText(Compression.MODE, value));

    /** The HTTP connector. */
    public ConnectorKind() {
        this(ofHttp(), "SSLHostConfig", "UpgradeProtocol");
    }

    ConnectorKind(List<Attribute<?>> attributes, String... children) {
        super("Connector", attributes, children);
    }

    /** Each name once. A later attribute replaces an earlier one of the same name, in its position. */
    static List<Attribute<?>> ofHttp() {
        return replaced(
                Attribute.of(GROUP.settings()),
                List.of(Attribute.of(ROLE).asNeeded(), Attribute.of(ALLOW).asNeeded()),
                List.of(BOTH_HEADS, Attribute.of(DISABLE_UPLOAD_TIMEOUT)),
                Attribute.of(ProtocolOptions.all()),
                Attribute.of(HttpOptions.all()),
                Attribute.of(Http1Options.all()),
                Attribute.of(TransportOptions.all()),
                Attribute.of(ConnectorOptions.all()),
                Attribute.of(ServletOptions.all()),
                Attribute.of(Compression.all()),
                Attribute.of(RequestDecompression.all()),
                TIMES,
                List.of(COMPRESSION),
                SOCKETS,
                Attribute.of(ThreadPools.SETTINGS),
                Attribute.of(ProxyProtocol.all()),
                TlsKinds.ON_CONNECTOR,
                TomcatAttributes.of("Connector"));
    }

    @SafeVarargs
    static List<Attribute<?>> replaced(List<Attribute<?>>... lists) {
        Map<String, Attribute<?>> attributes = new LinkedHashMap<>();
        Attribute.all(lists).forEach(attribute -> attributes.put(attribute.name(), attribute));
        return new ArrayList<>(attributes.values());
    }

    private static boolean isSet(String name, XmlElement connector) {
        return connector.value(name) != null;
    }

    /** Reports what keeps the port from being opened, or is of no effect. */
    public void checkPort(Element connector, Problems problems) {
        ConnectorChecks.checkProxyProtocol(connector, problems);
        ThreadPools.checkConnector(connector, problems);
        if (connector.isSet(ALLOW) && !connector.isSet(ROLE)) {
            problems.error(
                    connector.line(ALLOW),
                    "allow on Connector would restrict nothing without role=\"admin\"; who may send requests is said by a"
                            + " RemoteCIDRValve");
        }
    }

    /** Whether only this machine can connect to an address. */
    public static boolean isLoopback(@Nullable String address) {
        if (address == null) {
            return false;
        }
        try {
            return Arrays.stream(InetAddress.getAllByName(address)).allMatch(InetAddress::isLoopbackAddress);
        } catch (IOException unknown) {
            return false; // reported when it is opened
        }
    }
}

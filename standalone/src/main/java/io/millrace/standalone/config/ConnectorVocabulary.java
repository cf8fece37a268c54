package io.millrace.standalone.config;

import static io.millrace.http1.Http1Options.UPLOAD_TIMEOUT;
import static io.millrace.io.TransportOptions.SO_LINGER;
import static io.millrace.protocol.HttpOptions.MAX_REQUEST_HEADER_SIZE;
import static io.millrace.protocol.HttpOptions.MAX_RESPONSE_HEADER_SIZE;
import static io.millrace.protocol.ProtocolOptions.CONNECTION_TIMEOUT;
import static io.millrace.settings.SettingType.BOOLEAN;
import static io.millrace.settings.SettingType.FLAG;
import static io.millrace.settings.SettingType.PORT;
import static io.millrace.settings.SettingType.TEXT;
import static io.millrace.settings.SettingType.number;
import static io.millrace.standalone.config.AttributeRule.alias;
import static io.millrace.standalone.config.AttributeRule.none;
import static io.millrace.standalone.config.AttributeRule.only;
import static io.millrace.standalone.config.AttributeRule.sets;
import static io.millrace.standalone.config.AttributeRule.works;

import io.millrace.ConnectorOptions;
import io.millrace.compression.Compression;
import io.millrace.compression.CompressionMode;
import io.millrace.compression.RequestDecompression;
import io.millrace.http1.Http1Options;
import io.millrace.io.TransportOptions;
import io.millrace.protocol.HttpOptions;
import io.millrace.protocol.ProtocolOptions;
import io.millrace.proxyprotocol.ProxyProtocol;
import io.millrace.servlet.settings.ServletOptions;
import io.millrace.settings.SettingType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The attributes of Tomcat 9's HTTP connector, with its defaults. */
final class ConnectorVocabulary {

    private static final SettingType<?> COUNT = number(0, Integer.MAX_VALUE);
    private static final SettingType<?> AT_LEAST_ONE = number(1, Integer.MAX_VALUE);

    private static final List<AttributeRule> ADDRESS = List.of(
            works("port", PORT, null),
            works("address", TEXT, null),
            works("protocol", TEXT, "HTTP/1.1"),
            works("SSLEnabled", BOOLEAN, "false"),
            works("executor", TEXT, null));

    /** Tomcat's attribute for both header sizes. It precedes the settings in the vocabulary, so that they override it. */
    private static final List<AttributeRule> BOTH_HEADS = List.of(sets(
            "maxHttpHeaderSize",
            MAX_REQUEST_HEADER_SIZE.type(),
            "8192",
            (settings, size, connector) ->
                    settings.withText(MAX_REQUEST_HEADER_SIZE, size).withText(MAX_RESPONSE_HEADER_SIZE, size)));

    private static final List<AttributeRule> TIMES = List.of(
            sets(
                    "socket.soTimeout",
                    CONNECTION_TIMEOUT.type(),
                    null,
                    (settings, time, connector) -> connector.isSet("connectionTimeout")
                            ? settings
                            : settings.withText(CONNECTION_TIMEOUT, time)),
            works("disableUploadTimeout", BOOLEAN, "true"),
            sets(
                    UPLOAD_TIMEOUT.name(),
                    UPLOAD_TIMEOUT.type(),
                    UPLOAD_TIMEOUT.xmlDefault(),
                    (settings, time, connector) -> connector.flag("disableUploadTimeout")
                            ? settings
                            : settings.withText(UPLOAD_TIMEOUT, time)));

    private static final List<AttributeRule> SOCKETS = List.of(
            alias("socket.tcpNoDelay", TransportOptions.TCP_NO_DELAY),
            sets("socket.soLingerOn", FLAG, null, (settings, on, connector) -> settings.with(SO_LINGER, -1)),
            sets(
                    "socket.soLingerTime",
                    SO_LINGER.type(),
                    null,
                    (settings, time, connector) ->
                            connector.flag("socket.soLingerOn") ? settings.withText(SO_LINGER, time) : settings));

    private static final List<AttributeRule> LISTENING = List.of(
            none(
                    "deferAccept",
                    BOOLEAN,
                    "false",
                    "Java has no such socket option; remove it: a connection that has sent nothing occupies no thread"
                            + " and no buffer here"),
            only(
                    "ipv6v6only",
                    "false",
                    "Java has no such socket option; to exclude IPv4 set address to an IPv6 address of this host,"
                            + " or close the port for IPv4 in the firewall"));

    private static final List<AttributeRule> THREADS = List.of(
            works("minSpareThreads", COUNT, "10"),
            works("threadsMaxIdleTime", AT_LEAST_ONE, "60000"),
            works("maxQueueSize", COUNT, String.valueOf(Integer.MAX_VALUE)));

    private static final String POOLED = "all connections share a pool of buffers of 16384 bytes each";

    /** Known but not supported: a warning, or an error where access would be restricted. */
    private static final List<AttributeRule> UNSUPPORTED = List.of(
            none("clientCertProvider", TEXT, "", "certificates are read by the JDK's default provider"),
            none("rejectIllegalHeaderName", BOOLEAN, "true", "set rejectIllegalHeader instead"),
            none("serverRemoveAppProvidedValues", BOOLEAN, "false", "a Server field that an application sets is sent"),
            none("restrictedUserAgents", TEXT, "", "keep-alive is available to all clients"),
            none("sniParseLimit", COUNT, "65536", "a ClientHello may have at most 32768 bytes"),
            none("socket.ooBInline", BOOLEAN, "true", "urgent data is either part of the stream or discarded"),
            none("socket.soTrafficClass", COUNT, "0", "the traffic class is not set"),
            only(
                    "useIPVHosts",
                    "false",
                    "the Host field selects the Host, regardless of the address to which a client connects; define for each"
                            + " address a Service with its own Connector and Engine"),
            none("processorCache", TEXT, "", "request objects are not reused"),
            none("socket.appReadBufSize", TEXT, "", POOLED),
            none("socket.appWriteBufSize", TEXT, "", POOLED),
            none("socket.bufferPool", TEXT, "", POOLED));

    /** Case-sensitive, as in Tomcat. A number is the minimum size, and overrides compressionMinSize. */
    private static final List<AttributeRule> COMPRESSION = List.of(sets(
            Compression.MODE.name(),
            SettingType.text("off, on, force or a number of bytes", value -> value.matches("off|on|force|\\d{1,9}")),
            Compression.MODE.xmlDefault(),
            (settings, value, connector) -> Character.isDigit(value.charAt(0))
                    ? settings.with(Compression.MODE, CompressionMode.ON).withText(Compression.MIN_SIZE, value)
                    : settings.withText(Compression.MODE, value)));

    /** Tuning of Tomcat's threads and caches; noCompressionEncodings, because encoded responses are never compressed. */
    private static final List<String> TUNING = List.of(
            "acceptorThreadCount",
            "acceptorThreadPriority",
            "discardFacades",
            "executorTerminationTimeoutMillis",
            "noCompressionEncodings",
            "pollTime",
            "pollerThreadCount",
            "pollerThreadPriority",
            "selectorPool.maxSelectors",
            "selectorPool.maxSpareSelectors",
            "selectorTimeout",
            "sendfileSize",
            "socket.bufferPoolSize",
            "socket.directBuffer",
            "socket.directSslBuffer",
            "socket.eventCache",
            "socket.performanceBandwidth",
            "socket.performanceConnectionTime",
            "socket.performanceLatency",
            "socket.processorCache",
            "socket.unlockTimeout",
            "threadPriority",
            "useAsyncIO");

    private ConnectorVocabulary() {}

    /** Each name once. A later rule replaces an earlier one of the same name, in its position. */
    static List<AttributeRule> rules() {
        Map<String, AttributeRule> rules = new LinkedHashMap<>();
        Stream.of(
                        ADDRESS,
                        BOTH_HEADS,
                        AttributeRule.of(ProtocolOptions.all()),
                        AttributeRule.of(HttpOptions.all()),
                        AttributeRule.of(Http1Options.all()),
                        AttributeRule.of(TransportOptions.all()),
                        AttributeRule.of(ConnectorOptions.all()),
                        AttributeRule.of(ServletOptions.all()),
                        AttributeRule.of(Compression.all()),
                        AttributeRule.of(RequestDecompression.all()),
                        TIMES,
                        COMPRESSION,
                        SOCKETS,
                        LISTENING,
                        THREADS,
                        AttributeRule.of(ProxyProtocol.all()),
                        UNSUPPORTED,
                        TlsVocabulary.ON_CONNECTOR,
                        TUNING.stream().map(AttributeRule::moot).toList())
                .flatMap(List::stream)
                .forEach(rule -> rules.put(rule.name(), rule));
        return List.copyOf(rules.values());
    }
}

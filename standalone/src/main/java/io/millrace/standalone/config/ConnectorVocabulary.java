package io.millrace.standalone.config;

import static io.millrace.io.TransportOptions.SO_LINGER;
import static io.millrace.settings.SettingType.BOOLEAN;
import static io.millrace.settings.SettingType.CHARSET;
import static io.millrace.settings.SettingType.FLAG;
import static io.millrace.settings.SettingType.PATTERN;
import static io.millrace.settings.SettingType.PORT;
import static io.millrace.settings.SettingType.TEXT;
import static io.millrace.settings.SettingType.largeNumber;
import static io.millrace.settings.SettingType.number;
import static io.millrace.settings.SettingType.numberOrNoLimit;
import static io.millrace.settings.SettingType.oneOf;
import static io.millrace.settings.SettingType.word;
import static io.millrace.standalone.config.AttributeRule.alias;
import static io.millrace.standalone.config.AttributeRule.none;
import static io.millrace.standalone.config.AttributeRule.only;
import static io.millrace.standalone.config.AttributeRule.sets;
import static io.millrace.standalone.config.AttributeRule.works;

import io.millrace.io.TransportOptions;
import io.millrace.settings.SettingType;
import java.util.List;
import java.util.stream.Stream;

/** The attributes of Tomcat 9's HTTP connector, with its defaults. */
final class ConnectorVocabulary {

    private static final SettingType<?> COUNT = number(0, Integer.MAX_VALUE);
    private static final SettingType<?> AT_LEAST_ONE = number(1, Integer.MAX_VALUE);
    private static final SettingType<?> COUNT_OR_NO_LIMIT = number(-1, Integer.MAX_VALUE);
    private static final SettingType<?> SOME_OR_NO_LIMIT = numberOrNoLimit(1);

    private static final SettingType<?> BYTES_OR_NO_LIMIT = largeNumber(-1, Long.MAX_VALUE);
    private static final SettingType<?> MILLIS = number(-1, Integer.MAX_VALUE);

    /** Only what a URI may not contain can be relaxed; anything else in it is of no account. */
    static final SettingType<String> RELAXED_CHARS = TEXT.readFrom(TEXT, ConnectorVocabulary::relaxable)
            .remarking(text -> relaxable(text).equals(text)
                    ? null
                    : "allows only \" < > [ \\ ] ^ ` { | }; the other characters in it are ignored, as in Tomcat");

    /** Of a file, as ls shows them. */
    private static final SettingType<?> PERMISSIONS =
            SettingType.text("nine letters such as rw-rw----", value -> value.matches("([r-][w-][x-]){3}"));

    private static final List<AttributeRule> ADDRESS = List.of(
            works("port", PORT, null),
            works("address", TEXT, null),
            works("protocol", TEXT, "HTTP/1.1"),
            works("SSLEnabled", BOOLEAN, "false"),
            works("executor", TEXT, null));

    private static final List<AttributeRule> LIMITS = List.of(
            works("minSpareThreads", COUNT, "10"),
            works("maxKeepAliveRequests", COUNT_OR_NO_LIMIT, "100"),
            works("maxHttpHeaderSize", AT_LEAST_ONE, "8192"),
            works("maxHeaderCount", SOME_OR_NO_LIMIT, "100"),
            works("maxTrailerSize", COUNT_OR_NO_LIMIT, "8192"),
            works("maxExtensionSize", COUNT_OR_NO_LIMIT, "8192"),
            works("maxPostSize", BYTES_OR_NO_LIMIT, "2097152"),
            works("maxSwallowSize", BYTES_OR_NO_LIMIT, "2097152"),
            works("maxParameterCount", COUNT_OR_NO_LIMIT, "10000"),
            works("maxPartCount", COUNT_OR_NO_LIMIT, "50"),
            works("maxPartHeaderSize", COUNT_OR_NO_LIMIT, "512"));

    private static final List<AttributeRule> TIMES =
            List.of(works("connectionTimeout", MILLIS, "60000"), works("keepAliveTimeout", MILLIS, null));

    private static final List<AttributeRule> REQUESTS = List.of(
            works("relaxedPathChars", RELAXED_CHARS, ""),
            works("relaxedQueryChars", RELAXED_CHARS, ""),
            works("encodedSolidusHandling", word("reject", "decode", "passthrough"), "reject"),
            works("allowHostHeaderMismatch", FLAG, "false"),
            works("proxyName", TEXT, null),
            works("proxyPort", PORT, "0"),
            works("scheme", oneOf("http", "https"), "http"),
            works("secure", BOOLEAN, "false"),
            works("redirectPort", PORT, "443"),
            works("server", TEXT, null));

    /** The longer ways to say the same. */
    private static final List<AttributeRule> SOCKETS = List.of(
            alias("socket.tcpNoDelay", TransportOptions.TCP_NO_DELAY),
            sets("socket.soLingerOn", FLAG, (settings, on, connector) -> settings.with(SO_LINGER, -1)),
            sets(
                    "socket.soLingerTime",
                    SO_LINGER.type(),
                    (settings, time, connector) ->
                            connector.flag("socket.soLingerOn") ? settings.withText(SO_LINGER, time) : settings));

    private static final List<AttributeRule> SERVLETS = List.of(
            works("URIEncoding", CHARSET, "UTF-8"),
            works("useBodyEncodingForURI", FLAG, "false"),
            works("asyncTimeout", MILLIS, "30000"),
            works("enableLookups", FLAG, "false"),
            works("maxSavePostSize", COUNT_OR_NO_LIMIT, "4096"),
            works("allowTrace", FLAG, "false"),
            works("xpoweredBy", FLAG, "false"),
            works("maxCookieCount", COUNT_OR_NO_LIMIT, "200"),
            works("parseBodyMethods", TEXT, "POST"),
            works("useSendfile", FLAG, "true"));

    private static final List<AttributeRule> HTTP = List.of(
            works("maxHttpRequestHeaderSize", AT_LEAST_ONE, null),
            works("maxHttpResponseHeaderSize", AT_LEAST_ONE, null),
            works("rejectIllegalHeader", BOOLEAN, "true"),
            works("allowHalfClose", FLAG, "true"),
            works("allowedTrailerHeaders", TEXT, ""),
            works("connectionUploadTimeout", MILLIS, "300000"),
            works("disableUploadTimeout", BOOLEAN, "true"),
            works("minUploadRate", SOME_OR_NO_LIMIT, "240"),
            works("minUploadRateGrace", MILLIS, "30000"),
            works("socket.soTimeout", MILLIS, null),
            works("continueResponseTiming", word("onRead", "immediately"), "onRead"),
            works("useKeepAliveResponseHeader", FLAG, "true"));

    private static final List<AttributeRule> LISTENING = List.of(
            works("throwOnFailure", BOOLEAN, "true"),
            works("unixDomainSocketPath", TEXT, null),
            works("unixDomainSocketPathPermissions", PERMISSIONS, "rw-rw-rw-"),
            works("useInheritedChannel", BOOLEAN, "false"),
            works("bindOnInit", BOOLEAN, "false"),
            none(
                    "deferAccept",
                    BOOLEAN,
                    "false",
                    "Java cannot ask the system for it; leave it out, a connection that has sent nothing holds no thread"
                            + " and no buffer here"),
            only(
                    "ipv6v6only",
                    "false",
                    "Java cannot ask the system for it; to leave out IPv4 name an IPv6 address of this machine in address,"
                            + " or close the port for IPv4 in the firewall"));

    private static final List<AttributeRule> THREADS = List.of(
            works("threadsMaxIdleTime", AT_LEAST_ONE, "60000"),
            works("maxQueueSize", COUNT, String.valueOf(Integer.MAX_VALUE)));

    private static final String POOLED = "all connections share one pool of buffers of 16384 bytes";

    /** Known, promised for later or left out; the file loads, and the operator is told where that makes a difference. */
    private static final List<AttributeRule> LATER = List.of(
            none("restrictedUserAgents", TEXT, "", "keep-alive is for every client"),
            none("sniParseLimit", COUNT, "65536", "the first message of a TLS client may have 32768 bytes"),
            none("socket.ooBInline", BOOLEAN, "true", "urgent data is part of the stream, or nothing"),
            none("socket.soTrafficClass", COUNT, "0", "packets are not marked"),
            works("strictSni", BOOLEAN, "true"),
            only(
                    "useIPVHosts",
                    "false",
                    "the Host field chooses the Host, whatever address a client came by; give each address a Service with"
                            + " a Connector and an Engine of its own"),
            none("processorCache", TEXT, "", "requests leave nothing behind that another could use"),
            none("socket.appReadBufSize", TEXT, "", POOLED),
            none("socket.appWriteBufSize", TEXT, "", POOLED),
            none("socket.bufferPool", TEXT, "", POOLED));

    private static final SettingType<?> COMPRESSION =
            SettingType.text("off, on, force or a number of bytes", value -> value.matches("off|on|force|\\d{1,9}"));

    private static final List<AttributeRule> BODIES = List.of(
            works("compression", COMPRESSION, "off"),
            works("compressionMinSize", COUNT, "2048"),
            works(
                    "compressibleMimeType",
                    TEXT,
                    "text/html,text/xml,text/plain,text/css,text/javascript,application/javascript,application/json,"
                            + "application/xml"),
            works("noCompressionUserAgents", PATTERN, null),
            works("noCompressionStrongETag", FLAG, "true"),
            works("decompressionMaxSize", COUNT, null));

    /** How Tomcat's own threads and caches are tuned; what is encoded already is never compressed. */
    private static final List<String> MACHINERY = List.of(
            "acceptorThreadCount",
            "acceptorThreadPriority",
            "discardFacades",
            "executorTerminationTimeoutMillis",
            "noCompressionEncodings",
            "pollerThreadCount",
            "pollerThreadPriority",
            "selectorPool.maxSelectors",
            "selectorPool.maxSpareSelectors",
            "selectorTimeout",
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

    static List<AttributeRule> rules() {
        Stream<AttributeRule> known = Stream.of(
                        ADDRESS,
                        LIMITS,
                        TIMES,
                        REQUESTS,
                        SERVLETS,
                        BODIES,
                        HTTP,
                        AttributeRule.of(TransportOptions.all()),
                        SOCKETS,
                        LISTENING,
                        THREADS,
                        FrontEndVocabulary.PROXY_PROTOCOL,
                        LATER,
                        TlsVocabulary.ON_CONNECTOR)
                .flatMap(List::stream);
        Stream<AttributeRule> moot = MACHINERY.stream().map(AttributeRule::moot);
        return Stream.concat(known, moot).toList();
    }

    private static String relaxable(String text) {
        StringBuilder relaxable = new StringBuilder();
        text.chars().filter(c -> "\"<>[\\]^`{|}".indexOf(c) >= 0).forEach(c -> relaxable.append((char) c));
        return relaxable.toString();
    }
}

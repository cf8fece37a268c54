package io.millrace.standalone.config;

import static io.millrace.standalone.config.AttributeRule.none;
import static io.millrace.standalone.config.AttributeRule.only;
import static io.millrace.standalone.config.AttributeRule.works;
import static io.millrace.standalone.config.ValueKind.BOOLEAN;
import static io.millrace.standalone.config.ValueKind.CHARSET;
import static io.millrace.standalone.config.ValueKind.FLAG;
import static io.millrace.standalone.config.ValueKind.PATTERN;
import static io.millrace.standalone.config.ValueKind.PERMISSIONS;
import static io.millrace.standalone.config.ValueKind.PORT;
import static io.millrace.standalone.config.ValueKind.RELAXED_CHARS;
import static io.millrace.standalone.config.ValueKind.TEXT;
import static io.millrace.standalone.config.ValueKind.number;
import static io.millrace.standalone.config.ValueKind.oneOf;
import static io.millrace.standalone.config.ValueKind.word;

import java.util.List;
import java.util.stream.Stream;

/** The attributes of Tomcat 9's HTTP connector, with its defaults. */
final class ConnectorVocabulary {

    private static final ValueKind COUNT = number(0, Integer.MAX_VALUE);
    private static final ValueKind AT_LEAST_ONE = number(1, Integer.MAX_VALUE);
    private static final ValueKind COUNT_OR_NO_LIMIT = number(-1, Integer.MAX_VALUE);
    private static final ValueKind SOME_OR_NO_LIMIT = new ValueKind(
            "a number from 1 up, or -1 for no limit",
            value -> COUNT_OR_NO_LIMIT.accepts().test(value) && Long.parseLong(value.strip()) != 0);

    /** What the system takes for a linger. */
    private static final ValueKind SECONDS = number(-1, 65_535);

    private static final ValueKind BYTES_OR_NO_LIMIT = number(-1, Long.MAX_VALUE);
    private static final ValueKind MILLIS = number(-1, Integer.MAX_VALUE);

    private static final List<AttributeRule> ADDRESS = List.of(
            works("port", PORT, null),
            works("address", TEXT, null),
            works("protocol", TEXT, "HTTP/1.1"),
            works("SSLEnabled", BOOLEAN, "false"),
            works("executor", TEXT, null));

    private static final List<AttributeRule> LIMITS = List.of(
            works("acceptCount", AT_LEAST_ONE, "100"),
            works("maxConnections", COUNT_OR_NO_LIMIT, "8192"),
            works("maxThreads", AT_LEAST_ONE, "200"),
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

    private static final List<AttributeRule> SOCKETS = List.of(
            works("tcpNoDelay", FLAG, "true"),
            works("connectionLinger", SECONDS, "-1"),
            works("socket.rxBufSize", COUNT, "0"),
            works("socket.txBufSize", COUNT, "0"),
            works("socket.tcpNoDelay", FLAG, null),
            works("socket.soKeepAlive", FLAG, "false"),
            works("socket.soReuseAddress", FLAG, "true"),
            works("socket.soLingerOn", FLAG, null),
            works("socket.soLingerTime", SECONDS, null));

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
            works("useVirtualThreads", BOOLEAN, null),
            works("loop", word("selector", "xnio"), null),
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

    private static final ValueKind COMPRESSION =
            new ValueKind("off, on, force or a number of bytes", value -> value.matches("off|on|force|\\d{1,9}"));

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
}

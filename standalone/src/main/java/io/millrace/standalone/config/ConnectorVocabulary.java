package io.millrace.standalone.config;

import static io.millrace.standalone.config.AttributeRule.none;
import static io.millrace.standalone.config.AttributeRule.works;
import static io.millrace.standalone.config.ValueKind.BOOLEAN;
import static io.millrace.standalone.config.ValueKind.CHARSET;
import static io.millrace.standalone.config.ValueKind.PORT;
import static io.millrace.standalone.config.ValueKind.RELAXED_CHARS;
import static io.millrace.standalone.config.ValueKind.TEXT;
import static io.millrace.standalone.config.ValueKind.number;
import static io.millrace.standalone.config.ValueKind.oneOf;

import java.util.List;
import java.util.stream.Stream;

/** The attributes of Tomcat 9's HTTP connector, with its defaults. */
final class ConnectorVocabulary {

    private static final ValueKind COUNT = number(0, Integer.MAX_VALUE);
    private static final ValueKind AT_LEAST_ONE = number(1, Integer.MAX_VALUE);
    private static final ValueKind COUNT_OR_NO_LIMIT = number(-1, Integer.MAX_VALUE);
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
            works("maxHeaderCount", COUNT_OR_NO_LIMIT, "100"),
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
            works("encodedSolidusHandling", oneOf("reject", "decode", "passthrough"), "reject"),
            works("allowHostHeaderMismatch", BOOLEAN, "false"),
            works("proxyName", TEXT, null),
            works("proxyPort", PORT, "0"),
            works("scheme", oneOf("http", "https"), "http"),
            works("secure", BOOLEAN, "false"),
            works("redirectPort", PORT, "443"),
            works("server", TEXT, null));

    private static final List<AttributeRule> SOCKETS = List.of(
            works("tcpNoDelay", BOOLEAN, "true"),
            works("connectionLinger", COUNT_OR_NO_LIMIT, "-1"),
            works("socket.rxBufSize", COUNT, "0"),
            works("socket.txBufSize", COUNT, "0"),
            works("socket.tcpNoDelay", BOOLEAN, null),
            works("socket.soKeepAlive", BOOLEAN, "false"),
            works("socket.soReuseAddress", BOOLEAN, "true"),
            works("socket.soLingerOn", BOOLEAN, null),
            works("socket.soLingerTime", COUNT_OR_NO_LIMIT, null));

    /** Known, promised for later; until then the file loads and the operator is told. */
    private static final List<AttributeRule> LATER = List.of(
            none("URIEncoding", CHARSET),
            none("useBodyEncodingForURI", BOOLEAN),
            none("asyncTimeout", MILLIS),
            none("allowTrace", BOOLEAN),
            none("allowedTrailerHeaders", TEXT),
            none("bindOnInit", BOOLEAN),
            none("compressibleMimeType", TEXT),
            none("compression", TEXT),
            none("compressionMinSize", COUNT),
            none("connectionUploadTimeout", MILLIS),
            none("continueResponseTiming", oneOf("always", "immediately", "onRead")),
            none("deferAccept", BOOLEAN),
            none("disableUploadTimeout", BOOLEAN),
            none("discardFacades", BOOLEAN),
            none("enableLookups", BOOLEAN),
            none("ipv6v6only", BOOLEAN),
            none("maxCookieCount", COUNT_OR_NO_LIMIT),
            none("maxHttpRequestHeaderSize", AT_LEAST_ONE),
            none("maxHttpResponseHeaderSize", AT_LEAST_ONE),
            none("maxQueueSize", COUNT),
            none("maxSavePostSize", COUNT_OR_NO_LIMIT),
            none("noCompressionEncodings", TEXT),
            none("noCompressionUserAgents", TEXT),
            none("parseBodyMethods", TEXT),
            none("rejectIllegalHeader", BOOLEAN),
            none("restrictedUserAgents", TEXT),
            none("sniParseLimit", COUNT),
            none("strictSni", BOOLEAN),
            none("throwOnFailure", BOOLEAN),
            none("unixDomainSocketPath", TEXT),
            none("unixDomainSocketPathPermissions", TEXT),
            none("useIPVHosts", BOOLEAN),
            none("useInheritedChannel", BOOLEAN),
            none("useKeepAliveResponseHeader", BOOLEAN),
            none("useSendfile", BOOLEAN),
            none("useVirtualThreads", BOOLEAN),
            none("xpoweredBy", BOOLEAN));

    /** The old way to configure TLS; without SSLEnabled="true", which is refused, they did nothing in Tomcat either. */
    private static final List<String> OLD_TLS = List.of(
            "algorithm",
            "ciphers",
            "clientAuth",
            "crlFile",
            "keyAlias",
            "keyPass",
            "keystoreFile",
            "keystorePass",
            "keystoreProvider",
            "keystoreType",
            "sslEnabledProtocols",
            "sslImplementationName",
            "sslProtocol",
            "trustManagerClassName",
            "truststoreFile",
            "truststorePass",
            "truststoreProvider",
            "truststoreType",
            "useServerCipherSuitesOrder",
            "SSLCACertificateFile",
            "SSLCARevocationFile",
            "SSLCertificateChainFile",
            "SSLCertificateFile",
            "SSLCertificateKeyFile",
            "SSLCipherSuite",
            "SSLHonorCipherOrder",
            "SSLPassword",
            "SSLProtocol",
            "SSLVerifyClient",
            "SSLVerifyDepth",
            "defaultSSLHostConfigName");

    /** How Tomcat's own threads and caches are tuned. */
    private static final List<String> MACHINERY = List.of(
            "acceptorThreadCount",
            "acceptorThreadPriority",
            "executorTerminationTimeoutMillis",
            "pollerThreadCount",
            "pollerThreadPriority",
            "processorCache",
            "selectorPool.maxSelectors",
            "selectorPool.maxSpareSelectors",
            "selectorTimeout",
            "socket.appReadBufSize",
            "socket.appWriteBufSize",
            "socket.bufferPool",
            "socket.bufferPoolSize",
            "socket.directBuffer",
            "socket.directSslBuffer",
            "socket.eventCache",
            "socket.ooBInline",
            "socket.performanceBandwidth",
            "socket.performanceConnectionTime",
            "socket.performanceLatency",
            "socket.processorCache",
            "socket.soTimeout",
            "socket.soTrafficClass",
            "socket.unlockTimeout",
            "threadPriority",
            "useAsyncIO");

    private ConnectorVocabulary() {}

    static List<AttributeRule> rules() {
        Stream<AttributeRule> known = Stream.of(
                        ADDRESS, LIMITS, TIMES, REQUESTS, SOCKETS, FrontEndVocabulary.PROXY_PROTOCOL, LATER)
                .flatMap(List::stream);
        Stream<AttributeRule> moot =
                Stream.of(OLD_TLS, MACHINERY).flatMap(List::stream).map(AttributeRule::moot);
        return Stream.concat(known, moot).toList();
    }
}

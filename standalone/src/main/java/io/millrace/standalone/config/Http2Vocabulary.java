package io.millrace.standalone.config;

import static io.millrace.settings.SettingType.BOOLEAN;
import static io.millrace.settings.SettingType.TEXT;
import static io.millrace.settings.SettingType.number;
import static io.millrace.standalone.config.AttributeRule.alias;
import static io.millrace.standalone.config.AttributeRule.none;
import static io.millrace.standalone.config.AttributeRule.works;

import io.millrace.protocol.HttpOptions;
import io.millrace.protocol.ProtocolOptions;
import io.millrace.settings.SettingType;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The attributes of Tomcat 9's HTTP/2, which an UpgradeProtocol adds to an HTTP connector. */
final class Http2Vocabulary {

    private static final String TOMCATS = "org.apache.coyote.http2.Http2Protocol";

    private static final SettingType<?> COUNT_OR_NO_LIMIT = number(-1, Integer.MAX_VALUE);
    private static final SettingType<?> MILLIS = number(-1, Integer.MAX_VALUE);

    private static final String BUDGETS = "floods of frames are limited differently, see the guide on HTTP/2";
    private static final String CONNECTORS = "compression is set on the Connector, for all its protocols";

    /** Settings that override those of the Connector. */
    static final List<AttributeRule> OF_CONNECTOR = List.of(
            alias("keepAliveTimeout", ProtocolOptions.KEEP_ALIVE_TIMEOUT),
            alias("readTimeout", ProtocolOptions.CONNECTION_TIMEOUT),
            alias("maxHeaderSize", HttpOptions.MAX_REQUEST_HEADER_SIZE),
            alias("maxHeaderCount", ProtocolOptions.MAX_HEADER_COUNT),
            alias("maxTrailerSize", HttpOptions.MAX_TRAILER_SIZE),
            alias("allowedTrailerHeaders", HttpOptions.ALLOWED_TRAILER_HEADERS));

    private static final List<AttributeRule> RULES = List.of(
            works("className", TEXT, null),
            none("writeTimeout", MILLIS, "5000", "the Connector's connectionTimeout applies"),
            none("initiatePingDisabled", BOOLEAN, "false", "the server sends no pings"),
            AttributeRule.moot("discardRequestsAndResponses"),
            none("useSendfile", BOOLEAN, "true", "files are sent from the file cache"),
            none("overheadCountFactor", number(0, Integer.MAX_VALUE), "10", BUDGETS),
            none("overheadResetFactor", number(0, Integer.MAX_VALUE), "50", BUDGETS),
            none("overheadContinuationThreshold", number(0, Integer.MAX_VALUE), "1024", BUDGETS),
            none("overheadDataThreshold", number(0, Integer.MAX_VALUE), "1024", BUDGETS),
            none("overheadWindowUpdateThreshold", number(0, Integer.MAX_VALUE), "1024", BUDGETS),
            none("compression", TEXT, "off", CONNECTORS),
            none("compressibleMimeType", TEXT, "", CONNECTORS),
            none("compressionMinSize", COUNT_OR_NO_LIMIT, "2048", CONNECTORS),
            none("noCompressionStrongETag", BOOLEAN, "true", CONNECTORS),
            none("noCompressionUserAgents", TEXT, "", CONNECTORS));

    static final ElementRule UPGRADE_PROTOCOL = ElementRule.of(
            "UpgradeProtocol",
            Stream.of(RULES, OF_CONNECTOR, AttributeRule.of(Protocols.settings("http2")))
                    .flatMap(List::stream)
                    .toList());

    private Http2Vocabulary() {}

    /** Whether this element adds HTTP/2. */
    static boolean isOne(ConfigElement element) {
        return element.name().equals("UpgradeProtocol") && TOMCATS.equals(element.value("className"));
    }

    /** The element that adds HTTP/2 to a connector; null if there is none, or the connector is for AJP or SPDY. */
    static @Nullable Values in(ConfigElement connector) {
        String protocol = connector.value("protocol");
        if (Protocols.isAjp(protocol) || SpdyVocabulary.isSpdy(protocol)) {
            return null; // the Validator has warned of an unknown element
        }
        return connector.children("UpgradeProtocol").stream()
                .filter(Http2Vocabulary::isOne)
                .findFirst()
                .map(element -> new Values(element, UPGRADE_PROTOCOL))
                .orElse(null);
    }
}

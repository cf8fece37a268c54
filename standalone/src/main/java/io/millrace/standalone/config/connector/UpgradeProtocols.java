package io.millrace.standalone.config.connector;

import io.millrace.protocol.HttpOptions;
import io.millrace.protocol.ProtocolOptions;
import io.millrace.standalone.config.schema.Attribute;
import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.schema.IgnoredKind;
import io.millrace.standalone.config.schema.TomcatAttributes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The UpgradeProtocol elements that add HTTP/2 and SPDY to an HTTP connector. */
public final class UpgradeProtocols {

    private static final String NAME = "UpgradeProtocol";

    /** Settings that override those of the Connector. */
    private static final List<Attribute<?>> OF_CONNECTOR = List.of(
            Attribute.alias("keepAliveTimeout", ProtocolOptions.KEEP_ALIVE_TIMEOUT),
            Attribute.alias("readTimeout", ProtocolOptions.CONNECTION_TIMEOUT),
            Attribute.alias("maxHeaderSize", HttpOptions.MAX_REQUEST_HEADER_SIZE),
            Attribute.alias("maxHeaderCount", ProtocolOptions.MAX_HEADER_COUNT),
            Attribute.alias("maxTrailerSize", HttpOptions.MAX_TRAILER_SIZE),
            Attribute.alias("allowedTrailerHeaders", HttpOptions.ALLOWED_TRAILER_HEADERS));

    /** Tomcat 9's HTTP/2. */
    static final Element.Kind HTTP2 = new Element.Kind(
            NAME,
            "org.apache.coyote.http2.Http2Protocol",
            Attribute.all(
                    TomcatAttributes.of("Http2Protocol"), OF_CONNECTOR, Attribute.of(Protocols.settings("http2"))));

    private static final Element.Kind SPDY = new Element.Kind(
            NAME,
            "io.millrace.connector.spdy.SpdyProtocol",
            Attribute.all(OF_CONNECTOR, Attribute.of(Protocols.settings("spdy"))));

    private UpgradeProtocols() {}

    /** All kinds; other classes are ignored. */
    public static List<Element.Kind> kinds() {
        return List.of(HTTP2, SPDY, IgnoredKind.ofClass(NAME, "clients use HTTP/1.1 instead"));
    }

    /** The first element that adds HTTP/2 to a connector; null if it is off. */
    public static @Nullable Element http2(Element connector) {
        return connector.children(NAME).stream()
                .filter(upgrade -> upgrade.kind().equals(HTTP2))
                .findFirst()
                .orElse(null);
    }

    /** The elements that enable the versions of SPDY, the most preferred first. */
    public static List<Element> spdy(Element connector) {
        return connector.kind() instanceof SpdyConnector
                ? List.of(connector)
                : connector.children(NAME).stream()
                        .filter(upgrade -> upgrade.kind().equals(SPDY))
                        .toList();
    }
}

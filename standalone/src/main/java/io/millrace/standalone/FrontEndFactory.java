package io.millrace.standalone;

import io.millrace.ConnectorBuilder;
import io.millrace.forwarded.CertificateFields;
import io.millrace.forwarded.ForwardedField;
import io.millrace.forwarded.Relay;
import io.millrace.forwarded.RemoteIp;
import io.millrace.forwarded.Trust;
import io.millrace.net.AddressSet;
import io.millrace.proxyprotocol.ProxyProtocol;
import io.millrace.standalone.config.FrontEndVocabulary;
import io.millrace.standalone.config.Values;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Pattern;

/** Makes of server.xml what connectors and hosts believe of front ends. */
final class FrontEndFactory {

    private FrontEndFactory() {}

    static void proxyProtocol(Values connector, ConnectorBuilder builder) {
        String presence = connector.text("proxyProtocol", "off");
        if (!presence.equals("off")) {
            builder.proxyProtocol(new ProxyProtocol(
                    ProxyProtocol.Presence.valueOf(presence.toUpperCase(Locale.ROOT)),
                    AddressSet.parse(connector.text("proxyProtocolTrusted", "")),
                    Duration.ofMillis(connector.number("proxyProtocolTimeout"))));
        }
    }

    static CertificateFields certificates(Values valve) {
        return new CertificateFields(
                AddressSet.parse(valve.text(FrontEndVocabulary.TRUSTED, "")),
                valve.text("sslClientCertHeader", ""),
                valve.text("sslClientEscapedCertHeader", ""),
                valve.text("sslCipherHeader", ""),
                valve.text("sslSessionIdHeader", ""),
                valve.text("sslCipherUserKeySizeHeader", ""));
    }

    static Relay relay(Values valve) {
        return FrontEndVocabulary.isForwarded(valve)
                ? ForwardedField.trusting(AddressSet.parse(valve.text(FrontEndVocabulary.TRUSTED, "")))
                : remoteIp(valve);
    }

    private static RemoteIp remoteIp(Values valve) {
        return RemoteIp.builder()
                .remoteIpHeader(valve.text("remoteIpHeader", ""))
                .proxiesHeader(valve.text("proxiesHeader", ""))
                .internalProxies(trust(valve.text("internalProxies", "")))
                .trustedProxies(trust(valve.text("trustedProxies", "")))
                .protocolHeader(valve.text("protocolHeader", ""))
                .protocolHeaderHttpsValue(valve.text("protocolHeaderHttpsValue", ""))
                .httpServerPort(valve.number("httpServerPort"))
                .httpsServerPort(valve.number("httpsServerPort"))
                .hostHeader(valve.text("hostHeader", ""))
                .portHeader(valve.text("portHeader", ""))
                .changeLocalName(valve.flag("changeLocalName"))
                .changeLocalPort(valve.flag("changeLocalPort"))
                .requestAttributesEnabled(valve.flag("requestAttributesEnabled"))
                .build();
    }

    /** What reads as addresses means addresses; else it is Tomcat's pattern. */
    private static Trust trust(String value) {
        try {
            return Trust.in(AddressSet.parse(value));
        } catch (IllegalArgumentException pattern) {
            return Trust.matching(Pattern.compile(value));
        }
    }
}

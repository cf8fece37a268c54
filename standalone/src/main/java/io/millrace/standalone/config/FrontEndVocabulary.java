package io.millrace.standalone.config;

import static io.millrace.standalone.config.AttributeRule.none;
import static io.millrace.standalone.config.AttributeRule.works;
import static io.millrace.standalone.config.ValueKind.BOOLEAN;
import static io.millrace.standalone.config.ValueKind.PORT;
import static io.millrace.standalone.config.ValueKind.TEXT;
import static io.millrace.standalone.config.ValueKind.number;
import static io.millrace.standalone.config.ValueKind.oneOf;

import io.millrace.forwarded.RemoteIpBuilder;
import io.millrace.io.AddressSet;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** What is said of front ends: attributes of our own for the PROXY protocol, and Tomcat's RemoteIpValve. */
final class FrontEndVocabulary {

    private static final ValueKind ADDRESSES = new ValueKind(
            "addresses and ranges with commas between, such as 10.0.0.0/8,fd00::/8", FrontEndVocabulary::areAddresses);

    /** Addresses are our own addition; Tomcat knows patterns only. */
    private static final ValueKind PEERS = new ValueKind(
            "a regular expression for addresses, or addresses and ranges with commas between",
            value -> areAddresses(value) || isPattern(value));

    /** Of a Connector. */
    static final List<AttributeRule> PROXY_PROTOCOL = List.of(
            works("proxyProtocol", oneOf("off", "optional", "required"), "off"),
            works("proxyProtocolTrusted", ADDRESSES, ""),
            works("proxyProtocolTimeout", number(1, Integer.MAX_VALUE), "5000"));

    /** A Valve of class RemoteIpValve. */
    static final ElementRule REMOTE_IP = ElementRule.of(
            "Valve",
            List.of(
                    works("className", TEXT, null),
                    works("remoteIpHeader", TEXT, "X-Forwarded-For"),
                    works("proxiesHeader", TEXT, "X-Forwarded-By"),
                    works("internalProxies", PEERS, RemoteIpBuilder.PRIVATE_ADDRESSES),
                    works("trustedProxies", PEERS, null),
                    works("protocolHeader", TEXT, "X-Forwarded-Proto"),
                    works("protocolHeaderHttpsValue", TEXT, "https"),
                    works("httpServerPort", PORT, "80"),
                    works("httpsServerPort", PORT, "443"),
                    works("hostHeader", TEXT, ""),
                    works("portHeader", TEXT, ""),
                    works("changeLocalName", BOOLEAN, "false"),
                    works("changeLocalPort", BOOLEAN, "false"),
                    works("requestAttributesEnabled", BOOLEAN, "true"),
                    none("asyncSupported", BOOLEAN)));

    private FrontEndVocabulary() {}

    static boolean isRemoteIp(XmlElement element) {
        String type = element.value("className");
        return element.name().equals("Valve") && type != null && type.endsWith(".RemoteIpValve");
    }

    /** Reports a port that would believe nobody, or everybody might think it does. */
    static void checkProxyProtocol(Values connector, Problems problems) {
        String presence = connector.text("proxyProtocol", "off");
        boolean trusts = !connector.text("proxyProtocolTrusted", "").isBlank();
        if (!presence.equals("off") && !trusts) {
            problems.error(
                    connector.line("proxyProtocol"),
                    "proxyProtocol=\"" + presence
                            + "\" on Connector: nobody is trusted to send the header; name the front"
                            + " ends, as in proxyProtocolTrusted=\"10.0.0.0/8\"");
        } else if (presence.equals("off") && trusts) {
            problems.warning(
                    connector.line("proxyProtocolTrusted"),
                    "proxyProtocolTrusted on Connector is without effect, because proxyProtocol is neither optional nor"
                            + " required");
        }
    }

    private static boolean areAddresses(String value) {
        try {
            AddressSet.parse(value);
            return true;
        } catch (IllegalArgumentException notAddresses) {
            return false;
        }
    }

    private static boolean isPattern(String value) {
        try {
            Pattern.compile(value);
            return true;
        } catch (PatternSyntaxException notAPattern) {
            return false;
        }
    }
}

package io.millrace.standalone.config;

import static io.millrace.settings.SettingType.BOOLEAN;
import static io.millrace.settings.SettingType.PORT;
import static io.millrace.settings.SettingType.TEXT;
import static io.millrace.settings.SettingType.number;
import static io.millrace.settings.SettingType.oneOf;
import static io.millrace.standalone.config.AttributeRule.moot;
import static io.millrace.standalone.config.AttributeRule.none;
import static io.millrace.standalone.config.AttributeRule.works;

import io.millrace.forwarded.RemoteIpBuilder;
import io.millrace.net.AddressSet;
import io.millrace.settings.SettingType;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What is said of front ends: attributes of our own for the PROXY protocol, Tomcat's RemoteIpValve, and a Valve for Forwarded. */
public final class FrontEndVocabulary {

    private static final String FORWARDED_FIELD = "io.millrace.forwarded.ForwardedField";

    static final SettingType<?> ADDRESSES = SettingType.text(
            "addresses and ranges with commas between, such as 10.0.0.0/8,fd00::/8", FrontEndVocabulary::areAddresses);

    /** Addresses are our own addition; Tomcat knows patterns only. */
    private static final SettingType<?> PEERS = SettingType.text(
            "a regular expression for addresses, or addresses and ranges with commas between",
            value -> areAddresses(value) || isPattern(value));

    public static final String TRUSTED = "trusted";

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
                    none(
                            "remoteIpProxiesHeader",
                            TEXT,
                            "",
                            "Tomcat has no such attribute either; proxiesHeader says it"),
                    none("resolveHosts", BOOLEAN, "false", "Tomcat has no such attribute either"),
                    none(
                            "enableLookups",
                            BOOLEAN,
                            "false",
                            "enableLookups on Connector says whether names are looked up"),
                    moot("asyncSupported")));

    /** A Valve of our class ForwardedField: Tomcat has none. */
    static final ElementRule FORWARDED =
            ElementRule.of("Valve", List.of(works("className", TEXT, null), works(TRUSTED, ADDRESSES, "")));

    private FrontEndVocabulary() {}

    /** The rule of a Valve that says what front ends did; null for another. */
    static @Nullable ElementRule relay(ConfigElement element) {
        String type = element.name().equals("Valve") ? element.value("className") : null;
        if (type == null) {
            return null;
        }
        return switch (type) {
            case "org.apache.catalina.valves.RemoteIpValve" -> REMOTE_IP;
            case FORWARDED_FIELD -> FORWARDED;
            default -> null;
        };
    }

    /** Is it one of them, rather than another Valve that requests meet? */
    public static boolean isRelay(Values valve) {
        return isForwarded(valve) || valve.has("remoteIpHeader");
    }

    /** Which of the two it is. */
    public static boolean isForwarded(Values relay) {
        return FORWARDED_FIELD.equals(relay.text("className"));
    }

    static void checkTrust(Values relay, Problems problems) {
        if (isForwarded(relay) && relay.text(TRUSTED, "").isBlank()) {
            problems.error(
                    relay.line(),
                    "no front end is trusted to send the field Forwarded; list their addresses, as in trusted=\"10.0.0.0/8\"");
        }
    }

    /** Those in an Engine or Host, which requests to all of its applications meet. */
    static List<Values> relays(ConfigElement container) {
        List<Values> found = new ArrayList<>();
        for (ConfigElement child : container.children("Valve")) {
            ElementRule rule = relay(child);
            if (rule != null) {
                found.add(new Values(child, rule));
            }
        }
        return found;
    }

    /**
     * Reports requests for which both are believed: a client could choose the field which its front end does not overwrite. That
     * an address was found by the one does not help, for clients may have addresses that the other one trusts.
     *
     * @param outer those that requests meet before
     */
    static void checkOneKind(List<Values> outer, List<Values> inner, Problems problems) {
        List<Values> all = Stream.concat(outer.stream(), inner.stream())
                .filter(FrontEndVocabulary::isRelay)
                .toList();
        all.stream()
                .filter(relay -> isForwarded(relay) != isForwarded(all.get(0)))
                .findFirst()
                .ifPresent(other -> problems.error(
                        other.line(),
                        "RemoteIpValve and ForwardedField for the same requests: a client could choose the field that the front end"
                                + " does not overwrite; expected one of them"));
    }

    /** Reports a port that would believe nobody, or everybody might think it does. */
    static void checkProxyProtocol(Values connector, Problems problems) {
        String presence = connector.text("proxyProtocol", "off");
        boolean trusts = !connector.text("proxyProtocolTrusted", "").isBlank();
        if (!presence.equals("off") && !trusts) {
            problems.error(
                    connector.line("proxyProtocol"),
                    "proxyProtocol=\"" + presence
                            + "\" on Connector: no front end is trusted to send the header; list the front"
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

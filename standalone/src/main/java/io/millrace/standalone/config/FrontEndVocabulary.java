package io.millrace.standalone.config;

import static io.millrace.settings.SettingType.BOOLEAN;
import static io.millrace.settings.SettingType.TEXT;
import static io.millrace.standalone.config.AttributeRule.none;
import static io.millrace.standalone.config.AttributeRule.works;

import io.millrace.forwarded.RemoteIp;
import io.millrace.net.AddressSet;
import io.millrace.proxyprotocol.ProxyProtocol;
import io.millrace.settings.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What is said of front ends: Tomcat's RemoteIpValve, and a Valve for Forwarded; and what of the PROXY protocol makes no sense. */
public final class FrontEndVocabulary {

    private static final String FORWARDED_FIELD = "io.millrace.forwarded.ForwardedField";

    public static final String TRUSTED = "trusted";

    /** A Valve of class RemoteIpValve. */
    static final ElementRule REMOTE_IP = ElementRule.valve(Stream.concat(
                    AttributeRule.of(RemoteIp.all()).stream(),
                    Stream.of(
                            none(
                                    "remoteIpProxiesHeader",
                                    TEXT,
                                    "",
                                    "Tomcat has no such attribute either; set proxiesHeader instead"),
                            none("resolveHosts", BOOLEAN, "false", "Tomcat has no such attribute either"),
                            none(
                                    "enableLookups",
                                    BOOLEAN,
                                    "false",
                                    "enableLookups on Connector says whether names are looked up")))
            .toArray(AttributeRule[]::new));

    /** A Valve of our class ForwardedField: Tomcat has none. */
    static final ElementRule FORWARDED = ElementRule.valve(works(TRUSTED, AddressSet.TYPE, ""));

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
        Settings settings = connector.settings();
        boolean expects = ProxyProtocol.isOn(settings);
        boolean trusts = !settings.get(ProxyProtocol.TRUSTED).isEmpty();
        if (expects && !trusts) {
            problems.error(
                    connector.line("proxyProtocol"),
                    "proxyProtocol=\"" + connector.text("proxyProtocol")
                            + "\" on Connector: no front end is trusted to send the header; list the front"
                            + " ends, as in proxyProtocolTrusted=\"10.0.0.0/8\"");
        } else if (trusts && !expects) {
            problems.warning(
                    connector.line("proxyProtocolTrusted"),
                    "proxyProtocolTrusted on Connector is without effect, because proxyProtocol is neither optional nor"
                            + " required");
        }
    }
}

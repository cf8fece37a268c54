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

/** The Valves that evaluate what front ends report: Tomcat's RemoteIpValve, and ours for Forwarded; and checks of the PROXY protocol. */
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
                                    "set enableLookups on Connector to look up host names")))
            .toArray(AttributeRule[]::new));

    /** A Valve of our class ForwardedField: Tomcat has none. */
    static final ElementRule FORWARDED = ElementRule.valve(works(TRUSTED, AddressSet.TYPE, ""));

    private FrontEndVocabulary() {}

    /** The rule of such a Valve; null for another. */
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

    /** Whether it is one of these Valves. */
    public static boolean isRelay(Values valve) {
        return isForwarded(valve) || valve.has("remoteIpHeader");
    }

    /** Whether it is ForwardedField, not RemoteIpValve. */
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

    /** Those of an Engine or Host, which process requests to all of its applications. */
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
     * Reports requests for which both kinds apply: a client could send the field that its front end does not overwrite. Limiting
     * the second to trusted addresses does not help: clients may have addresses that it trusts.
     *
     * @param outer those that process requests first
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

    /** Reports a port that expects the header and trusts no sender, or the reverse. */
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
                    "proxyProtocolTrusted on Connector is ignored, because proxyProtocol is neither optional nor"
                            + " required");
        }
    }
}

package io.millrace.standalone.config;

import static io.millrace.settings.SettingType.BOOLEAN;
import static io.millrace.settings.SettingType.PATTERN;
import static io.millrace.settings.SettingType.TEXT;
import static io.millrace.settings.SettingType.number;
import static io.millrace.standalone.config.AttributeRule.none;
import static io.millrace.standalone.config.AttributeRule.works;

import io.millrace.handler.AddressRule;
import io.millrace.net.AddressSet;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Tomcat's Valves that admit clients by address or host name, in Engine, Host and Context. */
public final class AddressValves {

    private static final String REMOTE_ADDR = "org.apache.catalina.valves.RemoteAddrValve";
    private static final String REMOTE_CIDR = "org.apache.catalina.valves.RemoteCIDRValve";
    private static final String REMOTE_HOST = "org.apache.catalina.valves.RemoteHostValve";

    private static final List<AttributeRule> COMMON = List.of(
            works("denyStatus", number(400, 599), "403"),
            works("addConnectorPort", BOOLEAN, "false"),
            none(
                    "invalidAuthenticationWhenDeny",
                    BOOLEAN,
                    "false",
                    "denied clients get denyStatus, and cannot log in instead"));

    private static final AttributeRule USE_PEER_ADDRESS = works("usePeerAddress", BOOLEAN, "false");

    private static final Map<String, ElementRule> RULES = Map.of(
            REMOTE_ADDR,
            valve(works("allow", PATTERN, null), works("deny", PATTERN, null), USE_PEER_ADDRESS),
            REMOTE_CIDR,
            valve(works("allow", TEXT, ""), works("deny", TEXT, ""), USE_PEER_ADDRESS),
            REMOTE_HOST,
            valve(works("allow", PATTERN, null), works("deny", PATTERN, null)));

    private AddressValves() {}

    private static ElementRule valve(AttributeRule... own) {
        return ElementRule.valve(Stream.concat(COMMON.stream(), Stream.of(own)).toArray(AttributeRule[]::new));
    }

    /** Null if it is another Valve. */
    static @Nullable ElementRule of(ConfigElement element) {
        String type = element.name().equals("Valve") ? element.value("className") : null;
        return type == null ? null : RULES.get(type);
    }

    /** Whether it is one of these Valves. */
    public static boolean isOne(Values valve) {
        return RULES.containsKey(valve.text("className", ""));
    }

    /** Whether it compares host names, if enableLookups of the Connector is set. */
    public static boolean isByName(Values valve) {
        return valve.text("className", "").equals(REMOTE_HOST);
    }

    /** Whether it compares the addresses of direct peers. */
    public static boolean isByPeer(Values valve) {
        return valve.has("usePeerAddress") && valve.flag("usePeerAddress");
    }

    /** The clients that it admits. */
    public static AddressRule rule(Values valve) {
        if (!valve.text("className", "").equals(REMOTE_CIDR)) {
            return AddressRule.patterns(pattern(valve.text("allow")), pattern(valve.text("deny")));
        }
        String allow = valve.text("allow", "");
        String deny = valve.text("deny", "");
        return valve.flag("addConnectorPort")
                ? AddressRule.rangesWithPorts(allow, deny)
                : AddressRule.ranges(AddressSet.parse(allow), AddressSet.parse(deny));
    }

    private static @Nullable Pattern pattern(@Nullable String text) {
        return text == null || text.isEmpty() ? null : Pattern.compile(text);
    }

    /** Reports invalid combinations of attributes. */
    static void check(Values valve, Problems problems) {
        try {
            rule(valve);
        } catch (IllegalArgumentException e) {
            problems.error(valve.line(), "RemoteCIDRValve: " + e.getMessage());
            return;
        }
        boolean isInvalid = Stream.of("allow", "deny").anyMatch(name -> valve.isSet(name) && valve.text(name) == null);
        if (!isInvalid
                && valve.text("allow", "").isBlank()
                && valve.text("deny", "").isBlank()) {
            problems.warning(
                    valve.line(), "the Valve has neither allow nor deny, so it denies all requests, as in Tomcat");
        }
    }
}

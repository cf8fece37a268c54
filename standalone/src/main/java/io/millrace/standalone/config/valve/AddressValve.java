package io.millrace.standalone.config.valve;

import static io.millrace.settings.SettingType.BOOLEAN;
import static io.millrace.settings.SettingType.PATTERN;
import static io.millrace.settings.SettingType.TEXT;
import static io.millrace.settings.SettingType.number;

import io.millrace.Connector;
import io.millrace.exchange.HttpHandler;
import io.millrace.handler.AddressFilter;
import io.millrace.handler.AddressRule;
import io.millrace.net.AddressSet;
import io.millrace.servlet.settings.ServletOptions;
import io.millrace.settings.Setting;
import io.millrace.settings.SettingGroup;
import io.millrace.settings.Settings;
import io.millrace.standalone.config.schema.Attribute;
import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.schema.TomcatAttributes;
import io.millrace.standalone.config.xml.Problems;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Tomcat's Valves that admit clients by address or host name. */
public final class AddressValve extends HandlerValve {

    /** What it compares. */
    private enum By {
        ADDRESS_PATTERN,
        ADDRESS_RANGE,
        HOST_NAME
    }

    private static final SettingGroup GROUP = new SettingGroup();
    private static final Setting<Integer> DENY_STATUS = GROUP.add("denyStatus", number(400, 599), 403);
    private static final Setting<Boolean> ADD_CONNECTOR_PORT = GROUP.add("addConnectorPort", BOOLEAN, false);

    private static final SettingGroup PATTERNS = new SettingGroup();
    private static final Setting<Pattern> ALLOW = PATTERNS.optional("allow", PATTERN);
    private static final Setting<Pattern> DENY = PATTERNS.optional("deny", PATTERN);

    private static final SettingGroup RANGES = new SettingGroup();
    private static final Setting<String> ALLOW_RANGES = RANGES.add("allow", TEXT, "");
    private static final Setting<String> DENY_RANGES = RANGES.add("deny", TEXT, "");

    /** Whether it compares the addresses of direct peers. */
    private static final Setting<Boolean> USE_PEER_ADDRESS = new SettingGroup().add("usePeerAddress", BOOLEAN, false);

    private final By by;

    private AddressValve(String name, By by, List<Attribute<?>> own) {
        super(
                VALVES + name,
                Attribute.of(GROUP.settings()),
                own,
                TomcatAttributes.of("RemoteAddrValve, RemoteCIDRValve, RemoteHostValve"));
        this.by = by;
    }

    static AddressValve byAddress() {
        List<Attribute<?>> peer = Attribute.of(List.of(USE_PEER_ADDRESS));
        return new AddressValve(
                "RemoteAddrValve", By.ADDRESS_PATTERN, Attribute.all(Attribute.of(PATTERNS.settings()), peer));
    }

    static AddressValve byRange() {
        List<Attribute<?>> peer = Attribute.of(List.of(USE_PEER_ADDRESS));
        return new AddressValve(
                "RemoteCIDRValve", By.ADDRESS_RANGE, Attribute.all(Attribute.of(RANGES.settings()), peer));
    }

    /** Compares names if enableLookups of the Connector is set. */
    static AddressValve byName() {
        return new AddressValve("RemoteHostValve", By.HOST_NAME, Attribute.of(PATTERNS.settings()));
    }

    @Override
    public void check(Element valve, String parent, Problems problems) {
        try {
            rule(valve);
        } catch (IllegalArgumentException e) {
            problems.error(valve.line(), "RemoteCIDRValve: " + e.getMessage());
            return;
        }
        boolean isInvalid = by != By.ADDRESS_RANGE
                && (valve.isSet(ALLOW) && valve.find(ALLOW) == null || valve.isSet(DENY) && valve.find(DENY) == null);
        if (!isInvalid && isBlank(valve.written("allow")) && isBlank(valve.written("deny"))) {
            problems.warning(
                    valve.line(), "the Valve has neither allow nor deny, so it denies all requests, as in Tomcat");
        }
    }

    private static boolean isBlank(@Nullable String text) {
        return text == null || text.isBlank();
    }

    /** The clients that it admits. */
    AddressRule rule(Element valve) {
        if (by != By.ADDRESS_RANGE) {
            return AddressRule.patterns(pattern(valve.find(ALLOW)), pattern(valve.find(DENY)));
        }
        String allow = valve.get(ALLOW_RANGES);
        String deny = valve.get(DENY_RANGES);
        return valve.get(ADD_CONNECTOR_PORT)
                ? AddressRule.rangesWithPorts(allow, deny)
                : AddressRule.ranges(AddressSet.parse(allow), AddressSet.parse(deny));
    }

    /** An empty one is none. */
    private static @Nullable Pattern pattern(@Nullable Pattern written) {
        return written == null || written.pattern().isEmpty() ? null : written;
    }

    @Override
    public UnaryOperator<HttpHandler> handler(Element valve, Path base, Consumer<String> warnings) {
        AddressFilter filter = AddressFilter.of(rule(valve)).withDenyStatus(valve.get(DENY_STATUS));
        filter = valve.get(ADD_CONNECTOR_PORT) ? filter.withConnectorPort() : filter;
        filter = valve.get(USE_PEER_ADDRESS) ? filter.withPeerAddress() : filter;
        return by == By.HOST_NAME
                ? filter.withNames(exchange -> looksUp(exchange.attribute(Connector.SETTINGS)))::wrap
                : filter::wrap;
    }

    private static boolean looksUp(@Nullable Settings connector) {
        return connector != null && connector.get(ServletOptions.ENABLE_LOOKUPS);
    }
}

package io.millrace.standalone.config.connector;

import static io.millrace.ConnectorOptions.INHERITED_SOCKET;
import static io.millrace.ConnectorOptions.INLINE_SHORT;
import static io.millrace.ConnectorOptions.MAX_ABORTS_PER_ADDRESS;
import static io.millrace.ConnectorOptions.UNIX_DOMAIN_SOCKET_PATH;
import static io.millrace.ConnectorOptions.USE_INHERITED_CHANNEL;
import static io.millrace.io.TransportOptions.SO_LINGER;

import io.millrace.proxyprotocol.ProxyProtocol;
import io.millrace.settings.Setting;
import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.xml.Problems;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Attributes of a Connector that contradict each other or its transport. */
public final class ConnectorChecks {

    /** Transports over channels that the JDK closes without waiting, so that a polling thread does not block. */
    private static final Set<String> CLOSING_IN_BACKGROUND = Set.of("bio", "nio");

    /** The only transport that listens on Unix-domain sockets and on the standard input. */
    private static final List<String> WITH_OTHER_SOCKETS = List.of("nio");

    /** Those whose sockets can be made of a descriptor: the channels of nio2 cannot. */
    private static final List<String> WITH_NAMED_SOCKETS = List.of("nio", "bio", "apr");

    private static final Set<String> WITH_INLINE_REQUESTS = Set.of("nio", "apr");

    private ConnectorChecks() {}

    /** Reports a port that expects the header of the PROXY protocol and trusts no sender, or the reverse. */
    static void checkProxyProtocol(Element connector, Problems problems) {
        boolean expects = ProxyProtocol.isOn(connector.settings());
        boolean trusts = !connector.get(ProxyProtocol.TRUSTED).isEmpty();
        if (expects && !trusts) {
            problems.error(
                    connector.line(ProxyProtocol.PRESENCE),
                    "proxyProtocol=\"" + connector.shown(ProxyProtocol.PRESENCE.name())
                            + "\" on Connector: no front end is trusted to send the header; list the front"
                            + " ends, as in proxyProtocolTrusted=\"10.0.0.0/8\"");
        } else if (trusts && !expects) {
            problems.warning(
                    connector.line(ProxyProtocol.TRUSTED),
                    "proxyProtocolTrusted on Connector is ignored, because proxyProtocol is neither optional nor"
                            + " required");
        }
    }

    /** Warns of an SO_LINGER without effect: how long closing waits until the peer has received what was written. */
    public static void checkLinger(Element connector, String transport, Problems problems) {
        int seconds = connector.get(SO_LINGER);
        String why = withoutEffect(seconds, transport);
        if (why != null) {
            String attribute = connector.isSet("socket.soLingerOn") ? "socket.soLingerTime" : SO_LINGER.name();
            problems.warning(
                    connector.line(attribute), attribute + "=\"" + seconds + "\" on Connector is ignored: " + why);
        }
    }

    private static @Nullable String withoutEffect(int seconds, String transport) {
        if (seconds >= 0 && transport.equals("nio2")) {
            return "Java's asynchronous channels do not support SO_LINGER; nio, bio and apr do";
        }
        return seconds > 0 && CLOSING_IN_BACKGROUND.contains(transport)
                ? "Java closes connections of '" + transport + "' in the background; 0, which resets them, works"
                : null;
    }

    /** Reports a bound for aborts where it has no effect, and warns of inline requests where there are none. */
    public static void checkPolled(Element connector, String transport, Problems problems) {
        boolean bounds =
                connector.isSet(MAX_ABORTS_PER_ADDRESS) && connector.get(MAX_ABORTS_PER_ADDRESS) != Integer.MAX_VALUE;
        if (bounds && (transport.equals("bio") || connector.isSet(UNIX_DOMAIN_SOCKET_PATH))) {
            problems.error(
                    connector.line(MAX_ABORTS_PER_ADDRESS),
                    MAX_ABORTS_PER_ADDRESS + " on Connector bounds nothing "
                            + (transport.equals("bio") ? "on bio" : "for clients without an address")
                            + "; expected a port with protocol=\"nio\", \"nio2\" or \"apr\"");
        }
        if (connector.get(INLINE_SHORT) && !WITH_INLINE_REQUESTS.contains(transport)) {
            problems.warning(
                    connector.line(INLINE_SHORT),
                    INLINE_SHORT + " on Connector is ignored on '" + transport + "'; nio and apr have it");
        }
    }

    /** Returns whether it listens on a port, not on a Unix-domain or inherited socket; reports unsupported and contradictory attributes. */
    public static boolean isPort(Element connector, String transport, Problems problems) {
        List<Setting<?>> others = new ArrayList<>();
        if (connector.isSet(UNIX_DOMAIN_SOCKET_PATH)) {
            others.add(UNIX_DOMAIN_SOCKET_PATH);
        }
        if (connector.isSet(INHERITED_SOCKET)) {
            others.add(INHERITED_SOCKET);
        }
        if (connector.get(USE_INHERITED_CHANNEL)) {
            others.add(USE_INHERITED_CHANNEL);
        }
        if (others.size() > 1) {
            problems.error(
                    connector.line(others.get(1)),
                    "Connector has both " + others.get(0) + " and " + others.get(1) + "; expected one of them");
        }
        for (Setting<?> other : others) {
            List<String> transports = other.equals(INHERITED_SOCKET) ? WITH_NAMED_SOCKETS : WITH_OTHER_SOCKETS;
            if (!transports.contains(transport)) {
                problems.error(
                        connector.line(other),
                        other + " on Connector: the transport '" + transport + "' listens on ports only; use "
                                + transports.stream()
                                        .map(each -> "protocol=\"" + each + "\"")
                                        .collect(Collectors.joining(" or ")));
            }
        }
        return others.isEmpty();
    }
}

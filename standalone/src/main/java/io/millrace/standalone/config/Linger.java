package io.millrace.standalone.config;

import io.millrace.io.TransportOptions;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Checks SO_LINGER: how long closing a connection waits until the peer has received what was written. */
final class Linger {

    /** Transports over channels that the JDK closes without waiting, so that a polling thread does not block. */
    private static final Set<String> CLOSING_IN_BACKGROUND = Set.of("bio", "nio");

    private Linger() {}

    static void check(Values connector, String transport, Problems problems) {
        int seconds = connector.settings().get(TransportOptions.SO_LINGER);
        String why = withoutEffect(seconds, transport);
        if (why != null) {
            String attribute = connector.isSet("socket.soLingerOn") ? "socket.soLingerTime" : "connectionLinger";
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
}

package io.millrace.standalone.config;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How long closing a connection waits until what was written has arrived. */
public final class Linger {

    /** Those whose channels the JDK takes the waiting off, as it may not hold up a thread that polls. */
    private static final Set<String> UNABLE = Set.of("bio", "nio");

    private Linger() {}

    /** Seconds; -1 leaves it to the system. soLingerOn and soLingerTime are the longer way to say connectionLinger. */
    public static int seconds(Values connector) {
        if (connector.isSet("socket.soLingerOn")) {
            return connector.flag("socket.soLingerOn") ? (int) connector.number("socket.soLingerTime", -1) : -1;
        }
        return connector.number("connectionLinger");
    }

    static void check(Values connector, String transport, Problems problems) {
        int seconds = seconds(connector);
        String why = withoutEffect(seconds, transport);
        if (why != null) {
            String attribute = connector.isSet("socket.soLingerOn") ? "socket.soLingerTime" : "connectionLinger";
            problems.warning(
                    connector.line(attribute), attribute + "=\"" + seconds + "\" on Connector is ignored: " + why);
        }
    }

    private static @Nullable String withoutEffect(int seconds, String transport) {
        if (seconds >= 0 && transport.equals("nio2")) {
            return "Java's asynchronous channels know no linger; nio, bio and apr do";
        }
        return seconds > 0 && UNABLE.contains(transport)
                ? "Java closes connections of '" + transport + "' in the background; 0 resets them at once, and works"
                : null;
    }
}

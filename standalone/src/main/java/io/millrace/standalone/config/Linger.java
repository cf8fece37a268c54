package io.millrace.standalone.config;

import io.millrace.io.TransportOptions;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How long closing a connection waits until what was written has arrived. */
final class Linger {

    /** Those whose channels the JDK takes the waiting off, as it may not hold up a thread that polls. */
    private static final Set<String> UNABLE = Set.of("bio", "nio");

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
        return seconds > 0 && UNABLE.contains(transport)
                ? "Java closes connections of '" + transport + "' in the background; 0, which resets them, works"
                : null;
    }
}

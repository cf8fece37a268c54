package io.millrace.standalone.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Finds connectors of a file that listen on the same port. */
final class PortConflicts {

    private PortConflicts() {}

    static void report(List<ServerConfig.Service> services, Problems problems) {
        List<ServerConfig.Connector> seen = new ArrayList<>();
        for (ServerConfig.Service service : services) {
            for (ServerConfig.Connector connector : service.connectors()) {
                seen.stream()
                        .filter(other -> conflict(connector, other))
                        .findFirst()
                        .ifPresent(other -> problems.error(
                                connector.values().line("port"),
                                "port " + connector.port() + " is already used by the Connector in "
                                        + other.values().where()));
                seen.add(connector);
            }
        }
    }

    /** A connector without an address listens on all of them. */
    private static boolean conflict(ServerConfig.Connector one, ServerConfig.Connector other) {
        String first = canonical(one.address());
        String second = canonical(other.address());
        return one.port() != 0
                && one.port() == other.port()
                && (first == null || second == null || Objects.equals(first, second));
    }

    private static @Nullable String canonical(@Nullable String address) {
        if (address == null || address.equals("0.0.0.0") || address.equals("::")) {
            return null;
        }
        return address.equalsIgnoreCase("localhost") ? "127.0.0.1" : address.toLowerCase(Locale.ROOT);
    }
}

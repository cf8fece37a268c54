package io.millrace.standalone.config;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** Finds duplicate host names, and duplicate context paths within a host. */
final class HostNames {

    private HostNames() {}

    static void report(List<ServerConfig.Host> hosts, Problems problems) {
        Map<String, ServerConfig.Host> names = new HashMap<>();
        for (ServerConfig.Host host : hosts) {
            Stream.concat(Stream.of(host.name()), host.aliases().stream()).forEach(name -> {
                ServerConfig.Host first = names.putIfAbsent(name.toLowerCase(Locale.ROOT), host);
                if (host.equals(first)) {
                    problems.warning(
                            host.values().line(), "this Host has the name '" + name + "' twice; remove one Alias");
                } else if (first != null) {
                    problems.error(
                            host.values().line(),
                            "host name '" + name + "' is already used by the Host in "
                                    + first.values().where() + "; give each its own");
                }
            });
            reportPaths(host, problems);
        }
    }

    private static void reportPaths(ServerConfig.Host host, Problems problems) {
        Map<String, String> paths = new HashMap<>();
        for (ServerConfig.Context context : host.contexts()) {
            String first = paths.putIfAbsent(context.path(), context.values().where());
            if (first != null) {
                problems.error(
                        context.values().line("path"),
                        "context path \"" + context.path() + "\" is already used by the Context in " + first
                                + "; give each its own");
            }
        }
    }
}

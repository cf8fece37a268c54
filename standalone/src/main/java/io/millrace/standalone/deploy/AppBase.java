package io.millrace.standalone.deploy;

import io.millrace.standalone.config.ServerConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** What a virtual host deploys: its Context elements first, then what lies in its appBase. */
public final class AppBase {

    private static final Comparator<Deployment> BY_VERSION = Comparator.comparing((Deployment deployment) ->
            ContextName.ofFile(deployment.docBase().toString()).version());

    private AppBase() {}

    /**
     * All deployments of a host in the order of their paths, those with defects too.
     *
     * @throws IOException if the appBase is there but can't be read
     */
    public static List<Deployment> deployments(ServerConfig.Host host) throws IOException {
        Map<String, Deployment> byPath = new TreeMap<>();
        List<Deployment> superseded = new ArrayList<>();
        Set<Path> named = new HashSet<>();
        for (ServerConfig.Context context : host.contexts()) {
            byPath.put(context.path(), Deployment.of(context));
            named.add(context.docBase());
        }
        if (host.values().flag("deployOnStartup") && Files.isDirectory(host.appBase())) {
            for (Deployment found : scan(host.appBase(), named)) {
                Deployment first = byPath.putIfAbsent(found.contextPath(), found);
                if (first != null) {
                    superseded.add(found.withDefect("its context path belongs to " + first.docBase()));
                }
            }
        }
        return Stream.concat(byPath.values().stream(), superseded.stream()).toList();
    }

    /** The highest version first, as Tomcat gives new visitors that one. */
    private static List<Deployment> scan(Path appBase, Set<Path> except) throws IOException {
        try (Stream<Path> entries = Files.list(appBase)) {
            return entries.filter(entry -> !except.contains(entry) && isApplication(entry))
                    .map(Deployment::ofFile)
                    .sorted(BY_VERSION.reversed().thenComparing(Deployment::docBase))
                    .toList();
        }
    }

    /** A directory beside a WAR of the same name is the copy that Tomcat unpacked from it. */
    private static boolean isApplication(Path entry) {
        String name = entry.getFileName().toString();
        if (name.startsWith(".") || name.equalsIgnoreCase("META-INF") || name.equalsIgnoreCase("WEB-INF")) {
            return false;
        }
        if (Files.isDirectory(entry)) {
            return !Files.exists(entry.resolveSibling(name + ".war"));
        }
        return name.toLowerCase(Locale.ROOT).endsWith(".war");
    }
}

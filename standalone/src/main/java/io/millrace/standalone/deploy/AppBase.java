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

/**
 * What a virtual host deploys: its Context elements first, then what the files in conf/Catalina name, then what lies in its
 * appBase.
 */
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
        if (!host.values().flag("deployOnStartup")) {
            return List.copyOf(byPath.values());
        }
        for (Path file : host.contextFiles().all()) {
            Deployment found = ofContextFile(file, host);
            if (byPath.putIfAbsent(found.contextPath(), found) == null) {
                named.add(found.docBase());
            }
        }
        if (Files.isDirectory(host.appBase())) {
            for (Deployment found : scan(host, named)) {
                Deployment first = byPath.putIfAbsent(found.contextPath(), found);
                if (first != null) {
                    superseded.add(found.withDefect("its context path belongs to " + first.docBase()));
                }
            }
        }
        return Stream.concat(byPath.values().stream(), superseded.stream()).toList();
    }

    /** {@code shop.xml} is of the application /shop, wherever its docBase is; in the appBase if it says none. */
    private static Deployment ofContextFile(Path file, ServerConfig.Host host) {
        String name = String.valueOf(file.getFileName());
        String baseName = name.substring(0, name.length() - ".xml".length());
        String docBase = host.contextFiles().readOwn(file).settings().text("docBase");
        Path place = docBase != null ? host.appBase().resolve(docBase).normalize() : inAppBase(host, baseName);
        return Deployment.at(ContextName.ofFile(baseName).path(), place, host.contextFiles());
    }

    private static Path inAppBase(ServerConfig.Host host, String baseName) {
        Path war = host.appBase().resolve(baseName + ".war");
        return Files.exists(war) ? war : host.appBase().resolve(baseName);
    }

    /** The highest version first, as Tomcat gives new visitors that one. */
    private static List<Deployment> scan(ServerConfig.Host host, Set<Path> except) throws IOException {
        try (Stream<Path> entries = Files.list(host.appBase())) {
            return entries.filter(entry -> !except.contains(entry) && isApplication(entry))
                    .map(entry -> Deployment.ofFile(entry, host.contextFiles()))
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

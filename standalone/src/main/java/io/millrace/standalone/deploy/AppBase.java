package io.millrace.standalone.deploy;

import io.millrace.standalone.config.ContextName;
import io.millrace.standalone.config.HostKind;
import io.millrace.standalone.config.ServerConfig;
import io.millrace.standalone.config.context.ContextKinds;
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
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Finds the deployments of a virtual host: those of its Context elements first, then those of the files in conf/Catalina, then
 * those in its appBase.
 */
public final class AppBase {

    private AppBase() {}

    /**
     * Returns all deployments of a host, sorted by path and version, including those with defects.
     *
     * @throws IOException if the appBase exists but cannot be read
     */
    public static List<PlannedDeployment> deployments(ServerConfig.Host host) throws IOException {
        return all(host).stream().map(found -> besideProxies(found, host)).toList();
    }

    /** Proxies take precedence over applications at the same path. */
    private static PlannedDeployment besideProxies(PlannedDeployment found, ServerConfig.Host host) {
        return host.proxies().stream()
                .filter(proxy -> proxy.application().contextPath().equals(found.contextPath()))
                .findFirst()
                .map(proxy ->
                        found.supersededBy("the Proxy in " + proxy.element().where()))
                .orElse(found);
    }

    private static List<PlannedDeployment> all(ServerConfig.Host host) throws IOException {
        Map<String, PlannedDeployment> byName = new TreeMap<>();
        List<PlannedDeployment> superseded = new ArrayList<>();
        Set<Path> elsewhere = new HashSet<>();
        for (ServerConfig.Context context : host.contexts()) {
            PlannedDeployment named = PlannedDeployment.of(context);
            byName.put(named.name().display(), named);
            elsewhere.add(context.docBase());
        }
        if (!host.element().get(HostKind.DEPLOY_ON_STARTUP)) {
            return List.copyOf(byName.values());
        }
        for (Path file : host.contextFiles().all()) {
            PlannedDeployment found = ofContextFile(file, host);
            if (byName.putIfAbsent(found.name().display(), found) == null) {
                elsewhere.add(found.docBase());
            }
        }
        if (Files.isDirectory(host.appBase())) {
            for (PlannedDeployment found : scan(host, elsewhere)) {
                PlannedDeployment first = byName.putIfAbsent(found.name().display(), found);
                if (first != null) {
                    superseded.add(found.supersededBy(first.docBase().toString()));
                }
            }
        }
        return Stream.concat(byName.values().stream(), superseded.stream()).toList();
    }

    /** {@code shop.xml} deploys /shop from its docBase, wherever that is; from the appBase if it has none. */
    private static PlannedDeployment ofContextFile(Path file, ServerConfig.Host host) {
        String name = String.valueOf(file.getFileName());
        String baseName = name.substring(0, name.length() - ".xml".length());
        String docBase = host.contextFiles().readOwn(file).settings().find(ContextKinds.DOC_BASE);
        Path place = docBase != null ? host.appBase().resolve(docBase).normalize() : inAppBase(host, baseName);
        return PlannedDeployment.at(ContextName.ofFile(baseName), place, host.contextFiles());
    }

    private static Path inAppBase(ServerConfig.Host host, String baseName) {
        Path war = host.appBase().resolve(baseName + ".war");
        return Files.exists(war) ? war : host.appBase().resolve(baseName);
    }

    private static List<PlannedDeployment> scan(ServerConfig.Host host, Set<Path> except) throws IOException {
        Pattern ignore = host.element().find(HostKind.DEPLOY_IGNORE);
        try (Stream<Path> entries = Files.list(host.appBase())) {
            return entries.filter(entry -> !except.contains(entry) && isApplication(entry))
                    .filter(entry -> ignore == null
                            || !ignore.matcher(entry.getFileName().toString()).matches())
                    .map(entry -> PlannedDeployment.ofFile(entry, host.contextFiles()))
                    .sorted(Comparator.comparing(PlannedDeployment::docBase))
                    .toList();
        }
    }

    /** A directory beside a WAR of the same name is skipped: it is the copy that Tomcat unpacked. */
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

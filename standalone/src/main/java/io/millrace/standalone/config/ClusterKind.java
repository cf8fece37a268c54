package io.millrace.standalone.config;

import static io.millrace.settings.SettingType.TEXT;
import static io.millrace.settings.SettingType.oneOf;

import io.millrace.servlet.session.SessionSettings;
import io.millrace.settings.Setting;
import io.millrace.settings.SettingGroup;
import io.millrace.standalone.config.context.SessionKinds;
import io.millrace.standalone.config.schema.Attribute;
import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.valve.UnsupportedValve;
import io.millrace.standalone.config.xml.Problems;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * {@code <Cluster className="io.millrace.Redis">}: the engine in which the applications of a Host or Engine share their sessions. It is
 * in {@code lib/cluster/NAME} of the installation or of the base directory.
 */
public class ClusterKind extends Element.Kind {

    private static final String PREFIX = "io.millrace.";
    private static final String REDIS = "Redis";

    /** The engine in the memory of the servers, which is not in the distribution. */
    static final String INFINISPAN = "Infinispan";

    /** How it is installed. */
    static final String INSTALLATION = "unzip millrace-infinispan-*.zip -d "
            + installed().resolveSibling(".").normalize();

    private static final SettingGroup GROUP = new SettingGroup();

    /** The address of the engine. */
    public static final Setting<String> URI = GROUP.optional("uri", TEXT);

    private static final String STICKY = "sticky";
    private static final SettingGroup SHARING = new SettingGroup();
    private static final Setting<String> MODE = SHARING.add("mode", oneOf("shared", STICKY), "shared");

    private static final SettingGroup MEMORY = new SettingGroup();

    static {
        for (String name :
                List.of("user", "password", "minReplicas", "connections", "caCertificateFile", "namespace")) {
            GROUP.optional(name, TEXT); // the engine checks them
        }
        for (String name : List.of("peers", "address", "port", "secret", "owners", "clusterName", "dropTime")) {
            MEMORY.optional(name, TEXT);
        }
    }

    private final String engine;

    ClusterKind(String className, String engine, List<Attribute<?>> attributes) {
        super(
                "Cluster",
                className,
                Attribute.all(
                        attributes,
                        Attribute.of(SHARING.settings()),
                        Attribute.of(List.of(SessionSettings.REPLICATION_DELAY))));
        this.engine = engine;
    }

    /** A password, a certificate authority: a misspelt one must not open the sessions. */
    @Override
    public boolean restricts() {
        return true;
    }

    static List<Element.Kind> kinds() {
        return List.of(
                new ClusterKind(PREFIX + REDIS, REDIS, Attribute.of(GROUP.settings())),
                new ClusterKind(PREFIX + INFINISPAN, INFINISPAN, ofInfinispan()),
                new Other());
    }

    /** The attributes that Infinispan checks. */
    static List<Attribute<?>> ofInfinispan() {
        return Attribute.of(MEMORY.settings());
    }

    private static ClusterKind of(Element cluster) {
        return (ClusterKind) cluster.kind();
    }

    /** The name of the engine: of its directory in {@code lib/cluster}, and of its provider. */
    public static String engine(Element cluster) {
        return of(cluster).engine;
    }

    /** The directory with the engine's jars; null if it is not installed. */
    public static @Nullable Path directory(Element cluster, Path base) {
        Path place = Path.of("cluster", engine(cluster).toLowerCase(Locale.ROOT));
        return Stream.of(installed(), base.resolve("lib"))
                .map(lib -> lib.resolve(place))
                .filter(Files::isDirectory)
                .findFirst()
                .orElse(null);
    }

    /** What to do about an engine that is not installed. */
    public static String notInstalled(Element cluster) {
        String name = engine(cluster);
        return "the Cluster " + name + " is not installed: there is no "
                + installed().resolve(Path.of("cluster", name.toLowerCase(Locale.ROOT))) + " with its jars; "
                + (name.equals(INFINISPAN) ? INSTALLATION : "copy that directory from the distribution");
    }

    /** The directory of the server's own jar. */
    private static Path installed() {
        CodeSource source = ClusterKind.class.getProtectionDomain().getCodeSource();
        try {
            return Path.of(source.getLocation().toURI()).resolveSibling(".").normalize();
        } catch (URISyntaxException e) {
            throw new IllegalStateException("the jar of a class has a path", e);
        }
    }

    /** Whether each session belongs to one server, so that its id needs a route. */
    public static boolean isSticky(Element cluster) {
        return cluster.get(MODE).equals(STICKY);
    }

    /** How long a change of a sticky session may wait, in milliseconds. */
    public static int replicationDelay(Element cluster) {
        return cluster.get(SessionSettings.REPLICATION_DELAY);
    }

    /** What the engine has to know; unknown ones have been reported. */
    public static Map<String, String> attributes(Element cluster) {
        Map<String, String> attributes = new LinkedHashMap<>();
        cluster.written().stream()
                .filter(written -> of(cluster).isOfEngine(written.name()))
                .forEach(written -> attributes.put(written.name(), written.value()));
        of(cluster).complete(cluster, attributes);
        return attributes;
    }

    /** Whether the engine knows an attribute. */
    boolean isOfEngine(String name) {
        return attribute(name) != null && !name.equals("className");
    }

    /** Adds what stands in other elements. */
    void complete(Element cluster, Map<String, String> attributes) {}

    /** Those of other classes: ignored, but for what their Valves may restrict. */
    private static final class Other extends Element.Kind {

        Other() {
            super("Cluster");
        }

        @Override
        public void check(Element cluster, String parent, Problems problems) {
            String type = String.valueOf(cluster.written("className"));
            if (type.startsWith(PREFIX)) {
                problems.error(
                        cluster.line("className"),
                        "className=\"" + type + "\" on Cluster: there is no such engine; write className=\"" + PREFIX
                                + REDIS + "\" or className=\"" + PREFIX + INFINISPAN + "\"");
            } else {
                problems.warning(
                        cluster.line(),
                        "Cluster is ignored: sessions are not replicated; use sticky sessions in the load balancer (jvmRoute), or"
                                + " share them in Redis or Valkey: " + SessionKinds.CLUSTER);
            }
            cluster.children("Valve").forEach(valve -> UnsupportedValve.checkInCluster(valve, problems));
        }
    }
}

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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code <Cluster className="io.millrace.Redis">}: the engine in which the applications of a Host or Engine share their sessions. */
public final class ClusterKind extends Element.Kind {

    private static final String PREFIX = "io.millrace.";
    private static final String REDIS = PREFIX + "Redis";

    private static final SettingGroup GROUP = new SettingGroup();

    /** The address of the engine. */
    public static final Setting<String> URI = GROUP.optional("uri", TEXT);

    private static final String STICKY = "sticky";
    private static final Setting<String> MODE = GROUP.add("mode", oneOf("shared", STICKY), "shared");

    static {
        for (String name :
                List.of("user", "password", "minReplicas", "connections", "caCertificateFile", "namespace")) {
            GROUP.optional(name, TEXT); // the engine checks them
        }
    }

    private ClusterKind() {
        super(
                "Cluster",
                REDIS,
                Attribute.all(
                        Attribute.of(GROUP.settings()), Attribute.of(List.of(SessionSettings.REPLICATION_DELAY))));
    }

    /** A password, a certificate authority: a misspelt one must not open the sessions. */
    @Override
    public boolean restricts() {
        return true;
    }

    static List<Element.Kind> kinds() {
        return List.of(new ClusterKind(), new Other());
    }

    /** The name of the engine: of its directory in {@code lib/cluster}, and of its provider. */
    public static String engine(Element cluster) {
        return String.valueOf(cluster.kind().className()).substring(PREFIX.length());
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
                .filter(written -> cluster.kind().attribute(written.name()) != null)
                .filter(written -> !written.name().equals("className"))
                .forEach(written -> attributes.put(written.name(), written.value()));
        return attributes;
    }

    /** Tomcat's, and those of others: ignored, but for what their Valves may restrict. */
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
                        "className=\"" + type + "\" on Cluster: there is no such engine; write className=\"" + REDIS
                                + "\"");
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

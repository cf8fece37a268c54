package io.millrace.standalone.config;

import io.millrace.standalone.config.context.SessionKinds;
import io.millrace.standalone.config.schema.Attribute;
import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.schema.TomcatAttributes;
import io.millrace.standalone.config.valve.UnsupportedValve;
import io.millrace.standalone.config.xml.Problems;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Tomcat's SimpleTcpCluster, as its documentation prints it, with Infinispan as the engine if that is installed; otherwise it is ignored. Of the
 * elements in it, these say where servers are, and what protects them; all else is of Tomcat's implementation:
 *
 * <pre>
 * Channel/Receiver           address (unless auto) and port, where this server listens
 * Member, with host, port    the other servers, in a StaticMembershipInterceptor or a StaticMembershipService
 * EncryptInterceptor         encryptionKey is the secret
 * </pre>
 */
final class TomcatCluster extends ClusterKind {

    private static final String TYPE = "org.apache.catalina.ha.tcp.SimpleTcpCluster";

    /** Of Tomcat's Receiver. */
    private static final String PORT = "4000";

    /** What restricts which attributes of sessions are taken from other servers. */
    private static final List<String> FILTERS =
            List.of("sessionAttributeNameFilter", "sessionAttributeValueClassNameFilter");

    TomcatCluster() {
        super(TYPE, INFINISPAN, Attribute.all(ofInfinispan(), TomcatAttributes.of("SimpleTcpCluster")));
    }

    /** As Tomcat does, it ignores attributes that it does not know. */
    @Override
    public boolean restricts() {
        return false;
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    boolean isOfEngine(String name) {
        return ofInfinispan().stream().anyMatch(attribute -> attribute.name().equals(name));
    }

    @Override
    public void check(Element cluster, String parent, Problems problems) {
        cluster.children("Valve").forEach(valve -> UnsupportedValve.checkInCluster(valve, problems));
    }

    /** Whether it is one that has no effect, as its engine is not installed. */
    static boolean isIgnored(Element cluster, Path base) {
        return cluster.kind() instanceof TomcatCluster && directory(cluster, base) == null;
    }

    /** Reports what becomes of it. */
    static void report(Element cluster, Path base, Problems problems) {
        if (isIgnored(cluster, base)) {
            problems.warning(
                    cluster.line(),
                    "Cluster is ignored: sessions are not replicated; install the engine that does it (" + INSTALLATION
                            + "), use sticky sessions in the load balancer (jvmRoute), or share them in Redis or Valkey: "
                            + SessionKinds.CLUSTER);
            return;
        }
        if (!attributes(cluster).containsKey("peers")) {
            problems.warning(
                    cluster.line(),
                    "Cluster has no peers, and multicast discovery is not used, so sessions stay on this server; add"
                            + " peers=\"HOST:" + PORT + ",…\" with all servers to Cluster");
        }
        for (Element manager : cluster.children("Manager")) {
            FILTERS.stream()
                    .filter(manager::isSet)
                    .forEach(
                            filter -> problems.error(
                                    manager.line(filter),
                                    filter
                                            + " on the Manager of a Cluster is not enforced; set it on the Manager of each Context"));
        }
        cluster.children("Deployer").stream()
                .filter(deployer -> "true".equalsIgnoreCase(deployer.written("watchEnabled")))
                .forEach(deployer -> problems.warning(
                        deployer.line(),
                        "Deployer is ignored: applications are not copied to other servers; deploy to all of them by"
                                + " millrace deploy --to HOST:PORT,HOST:PORT --rolling"));
    }

    @Override
    void complete(Element cluster, Map<String, String> attributes) {
        String address = first(cluster, "Receiver", "address");
        if (address != null && !address.equalsIgnoreCase("auto")) {
            attributes.putIfAbsent("address", address);
        }
        String port = first(cluster, "Receiver", "port");
        attributes.putIfAbsent("port", port == null ? PORT : port);
        String secret = first(cluster, "Interceptor", "encryptionKey");
        if (secret != null) {
            attributes.putIfAbsent("secret", secret);
        }
        String members = within(cluster)
                .filter(element -> element.name().equals("Member") && element.isSet("host"))
                .map(member -> member.written("host") + ":" + (member.isSet("port") ? member.written("port") : PORT))
                .collect(Collectors.joining(","));
        if (!members.isEmpty()) {
            attributes.putIfAbsent("peers", members);
        }
    }

    private static @Nullable String first(Element cluster, String element, String attribute) {
        return within(cluster)
                .filter(found -> found.name().equals(element) && found.isSet(attribute))
                .map(found -> String.valueOf(found.written(attribute)))
                .findFirst()
                .orElse(null);
    }

    /** All elements in it, at any depth. */
    private static Stream<Element> within(Element element) {
        return element.children().stream().flatMap(child -> Stream.concat(Stream.of(child), within(child)));
    }
}

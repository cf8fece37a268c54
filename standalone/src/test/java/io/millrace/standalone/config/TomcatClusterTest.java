package io.millrace.standalone.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.standalone.config.schema.Element;
import io.millrace.standalone.config.xml.Problem;
import io.millrace.standalone.config.xml.Problems;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tomcat's SimpleTcpCluster … */
final class TomcatClusterTest {

    private static final String TYPE = "org.apache.catalina.ha.tcp.SimpleTcpCluster";
    private static final String TRIBES = "org.apache.catalina.tribes.";

    @TempDir
    private Path base = Path.of("");

    private final Problems problems = new Problems("server.xml");

    private ServerConfig.Host host(String attributes, String content) {
        String text = "<Server><Service><Connector port='0'/><Engine><Cluster className='" + TYPE + "' " + attributes
                + ">" + content + "</Cluster><Host/></Engine></Service></Server>";
        ServerConfig config = new ServerXml(base, Set.of("nio"), problems).parse(text);
        assertNotNull(config, () -> found().toString());
        return config.services().get(0).engine().hosts().get(0);
    }

    private List<String> found() {
        return problems.inOrder().stream().map(Problem::toString).toList();
    }

    private void install() throws IOException {
        Files.createDirectories(base.resolve("lib/cluster/infinispan"));
    }

    private Map<String, String> attributes(String attributes, String content) throws IOException {
        install();
        Element cluster = Objects.requireNonNull(host(attributes, content).cluster());
        return ClusterKind.attributes(cluster);
    }

    @Test
    void isIgnoredWithoutItsEngine() {
        assertNull(host("peers='localhost'", "").cluster());
        assertEquals(1, found().size());
        assertTrue(
                found().get(0).contains("install the engine that does it (unzip millrace-infinispan-"), found().get(0));
    }

    @Test
    void isAloneWithoutPeers() throws IOException {
        assertEquals(
                Map.of("port", "4000"),
                attributes("channelSendOptions='8'", "<Channel><Membership address='228.0.0.4'/></Channel>"));
        assertEquals(1, found().size());
        assertTrue(found().get(0).contains("add peers=\"HOST:4000,…\" with all servers to Cluster"), found().get(0));
    }

    @Test
    void takesAddressesAndTheKeyFromTheChannel() throws IOException {
        String channel = "<Channel><Membership className='" + TRIBES + "membership.StaticMembershipService'>"
                + "<LocalMember className='x' port='4001' host='10.0.0.1'/>"
                + "<Member className='x' port='4002' host='10.0.0.2'/><Member className='x' host='10.0.0.3'/></Membership>"
                + "<Receiver className='x' address='10.0.0.1' port='4001'/>"
                + "<Interceptor className='" + TRIBES
                + "group.interceptors.EncryptInterceptor' encryptionKey='cafe'/></Channel>";
        assertEquals(
                Map.of("peers", "10.0.0.2:4002,10.0.0.3:4000", "address", "10.0.0.1", "port", "4001", "secret", "cafe"),
                attributes("", channel));
        assertEquals(List.of(), found());
    }

    @Test
    void prefersItsOwnAttributes() throws IOException {
        String channel = "<Channel><Receiver address='auto' port='4001'/></Channel>";
        assertEquals(
                Map.of("peers", "a", "address", "127.0.0.1", "port", "5000", "owners", "3"),
                attributes("peers='a' address='127.0.0.1' port='5000' owners='3' mode='sticky'", channel));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            <Manager className="x" sessionAttributeNameFilter="a.*"/> | error | sessionAttributeNameFilter on the Manager of a Cluster is not enforced
            <Valve className="com.example.Guard"/> | error | Valve com.example.Guard
            <Deployer className="x" watchEnabled="true"/> | warning | applications are not copied to other servers
            """)
    void reportsWhatItDoesNotDo(String content, String severity, String sentence) throws IOException {
        install();
        String text = "<Server><Service><Connector port='0'/><Engine><Host><Cluster className='" + TYPE + "' peers='a'>"
                + content + "</Cluster></Host></Engine></Service></Server>";
        assertEquals(
                severity.equals("error"),
                new ServerXml(base, Set.of("nio"), problems).parse(text) == null,
                found().toString());
        assertEquals(1, found().size());
        assertTrue(found().get(0).contains(severity + ": ") && found().get(0).contains(sentence), found().get(0));
    }
}

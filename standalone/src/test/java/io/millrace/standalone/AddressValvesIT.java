package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.io.BufferPool;
import io.millrace.testkit.AjpContractClient;
import io.millrace.testkit.Connectors;
import io.millrace.testkit.ContractRequest;
import io.millrace.testkit.NeedsConnector;
import io.millrace.testkit.RawClient;
import io.millrace.testkit.SocketLink;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The built server, by the Valves of its server.xml and of its applications, … */
@NullUnmarked
final class AddressValvesIT {

    private static final String VALVE = "<Valve className='org.apache.catalina.valves.";

    private static final String ENGINE = VALVE + "RemoteIpValve' internalProxies='127.0.0.0/8'/>"
            + VALVE + "HealthCheckValve'/>"
            + VALVE + "RemoteCIDRValve' deny='198.51.100.66, 2001:db8::/32'/>"
            + "<Host name='localhost'/>"
            + host("closed.test", "RemoteAddrValve' allow='10\\..*'")
            + host("loopback.test", "RemoteAddrValve' allow='127\\.0\\.0\\.1|0:0:0:0:0:0:0:1' denyStatus='404'")
            + host("peer.test", "RemoteCIDRValve' allow='127.0.0.0/8' usePeerAddress='true'")
                    .replace("<Valve", "<Alias>contract</Alias><Valve")
            + host("named.test", "RemoteHostValve' deny='localhost'");

    @TempDir
    private static Path base;

    private static ProbeServer server;

    private static String host(String name, String valve) {
        return "<Host name='" + name + "' appBase='webapps' autoDeploy='false'>" + VALVE + valve + "/></Host>";
    }

    @BeforeAll
    static void start() throws Exception {
        write("webapps/files/file.txt", "file");
        write("webapps/guarded/file.txt", "file");
        write(
                "webapps/guarded/META-INF/context.xml",
                "<Context>" + VALVE + "RemoteAddrValve' deny='127\\..*' denyStatus='410'/></Context>");
        write("webapps/indoors/file.txt", "file");
        write(
                "webapps/indoors/META-INF/context.xml",
                "<Context>" + VALVE + "RemoteCIDRValve' deny='192.0.2.0/24'/></Context>");
        write("webapps/strange/file.txt", "file");
        write("webapps/strange/META-INF/context.xml", "<Context><Realm className='com.example.Own'/></Context>");
        write(
                "webapps/broken/META-INF/context.xml",
                "<Context><Realm className='org.apache.catalina.realm.MemoryRealm' pathname='conf/none.xml'/></Context>");
        String connectors = "<Connector port='0' address='127.0.0.1' enableLookups='true'/>"
                + (Connectors.contain("ajp")
                        ? "<Connector port='0' address='127.0.0.1' protocol='AJP/1.3' secretRequired='false'/>"
                        : "");
        server = ProbeServer.serving(base, connectors, ENGINE);
    }

    private static void write(String name, String text) throws IOException {
        Path file = base.resolve(name);
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        Files.writeString(file, text);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/where", "/files/file.txt", "/files/", "/files", "/none/", "/health"})
    void keepsOutWhomItDenies(String path) throws Exception {
        assertEquals(403, status(path, "Host: closed.test"), "in Host");
        assertEquals(403, status(path, "X-Forwarded-For: 198.51.100.66"), "in Engine");
        assertEquals(403, status(path, "X-Forwarded-For: 2001:DB8:0::7"), "in Engine");
        assertEquals(404, status(path, "Host: loopback.test", "X-Forwarded-For: 198.51.100.7"));
        assertEquals(403, status(path, "Host: named.test"), "by name");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/where", "/files/file.txt", "/health"})
    void letsTheOthersIn(String path) throws Exception {
        assertEquals(200, status(path));
        assertEquals(200, status(path, "X-Forwarded-For: 198.51.100.7"));
        assertEquals(200, status(path, "Host: loopback.test"));
        assertEquals(200, status(path, "Host: peer.test", "X-Forwarded-For: 198.51.100.7"));
        assertEquals(200, status(path, "Host: named.test", "X-Forwarded-For: 198.51.100.7"));
    }

    @Test
    void keepsOutWhomAnApplicationDenies() throws Exception {
        assertEquals(410, status("/guarded/file.txt"));
        assertEquals(410, status("/guarded"));
        assertEquals(200, status("/guarded/file.txt", "X-Forwarded-For: 198.51.100.7"));
    }

    /** The front end of the test tells of a client at 192.0.2.7. */
    @Test
    @NeedsConnector("ajp")
    void keepsThemOutByAjpToo() throws Exception {
        assertEquals(200, ajp("/files/file.txt"), "the peer may come");
        assertEquals(403, ajp("/indoors/file.txt"), "the client may not");
        assertEquals(403, ajp("/indoors"));
        assertEquals(200, status("/indoors/file.txt"));
    }

    @Test
    void goesOnWithoutTheLoginsOfAnApplicationWhoseRealmCannotBeUsed() throws Exception {
        assertEquals("file", Curl.run(server.url(0, "/strange/file.txt")), "it needs no login");
        server.product().awaitLine("com.example.Own");
        server.product().awaitLine("conf/none.xml: there is no such file");
        assertEquals(200, status("/files/file.txt"));
    }

    @Test
    void answersWithoutWaitingForTheBody() throws Exception {
        try (RawClient client = RawClient.connect(server.port(0))) {
            client.send("POST /where HTTP/1.1\r\nHost: closed.test\r\nContent-Length: 5000000\r\n\r\n");
            String answer = client.readUntil("\r\n");
            assertTrue(answer.startsWith("HTTP/1.1 403 "), answer);
        }
    }

    @Test
    void isSetUpAsTheUserGuideSays(@TempDir Path other) throws Exception {
        String valve = Snippets.of("security.md").get("addresses");
        try (ProbeServer guides = ProbeServer.serving(
                other, "<Connector port='0' address='127.0.0.1'/>", valve + "<Host name='localhost'/>")) {
            assertEquals(200, Curl.status(guides.url(0, "/where")));
        }
        String without = valve.replace("127.0.0.1, ::1", "192.0.2.1");
        ProbeServer.prepare(
                other, "<Connector port='0' address='127.0.0.1'/>", without + "<Host name='localhost'/>", "");
        try (ProbeServer guides = new ProbeServer(Product.serving("start", "--base=" + other))) {
            assertEquals(403, Curl.status(guides.url(0, "/where")));
        }
    }

    @Test
    void startsNothingBesideAValveThatIsNotKnown(@TempDir Path other) throws Exception {
        String valve = "<Valve className='com.example.Guard'/><Host name='localhost'/>";
        ProbeServer.prepare(other, "<Connector port='0' address='127.0.0.1'/>", valve, "");
        for (String command : List.of("start", "check")) {
            try (Product product = Product.launch(command, "--base=" + other)) {
                assertEquals(1, product.exitStatus(), product.output());
                assertTrue(product.has("error: Valve com.example.Guard: it is not supported"), product.output());
                assertFalse(product.has("is ready"), product.output());
            }
        }
    }

    private static int status(String path, String... fields) throws Exception {
        List<String> words = new ArrayList<>();
        for (String field : fields) {
            words.add("-H");
            words.add(field);
        }
        words.add(server.url(0, path));
        return Curl.status(words.toArray(String[]::new));
    }

    private static int ajp(String path) throws IOException {
        String line = server.product().awaitLine("ajp://127.0.0.1:");
        int port = Integer.parseInt(
                line.substring(line.indexOf("ajp://127.0.0.1:") + 16).replaceAll("\\D.*", ""));
        try (RawClient socket = RawClient.connect(port)) {
            AjpContractClient client = new AjpContractClient(new SocketLink(socket, new BufferPool(1 << 20)), "", 8192);
            client.send(ContractRequest.of("GET", path));
            return client.receive().status();
        }
    }
}

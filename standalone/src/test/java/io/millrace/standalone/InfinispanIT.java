package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.Deadline;
import io.millrace.testkit.LocalPort;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Servers with Tomcat's Cluster … */
@Timeout(180)
final class InfinispanIT {

    private static final int OK = 200;
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /** What installs it: the engine's zip file has the same. */
    private static final Path ENGINE = Path.of("../cluster/infinispan/target/engine");

    private static final String COUNT = "<% Integer seen = (Integer) session.getAttribute(\"seen\");"
            + " session.setAttribute(\"seen\", seen == null ? 1 : seen + 1); %><%= session.getAttribute(\"seen\") %>";

    /** As Tomcat's documentation prints it. */
    private static final String CLUSTER = """
            <Cluster className="org.apache.catalina.ha.tcp.SimpleTcpCluster" channelSendOptions="8" %s>
              <Manager className="org.apache.catalina.ha.session.DeltaManager"
                       expireSessionsOnShutdown="false" notifyListenersOnReplication="true"/>
              <Channel className="org.apache.catalina.tribes.group.GroupChannel">
                <Membership className="org.apache.catalina.tribes.membership.McastService"
                            address="228.0.0.4" port="45564" frequency="500" dropTime="3000"/>
                <Receiver className="org.apache.catalina.tribes.transport.nio.NioReceiver"
                          address="auto" port="4000" autoBind="100" selectorTimeout="5000" maxThreads="6"/>
                <Sender className="org.apache.catalina.tribes.transport.ReplicationTransmitter">
                  <Transport className="org.apache.catalina.tribes.transport.nio.PooledParallelSender"/>
                </Sender>
                <Interceptor className="org.apache.catalina.tribes.group.interceptors.TcpFailureDetector"/>
                <Interceptor className="org.apache.catalina.tribes.group.interceptors.MessageDispatchInterceptor"/>
              </Channel>
              <Valve className="org.apache.catalina.ha.tcp.ReplicationValve" filter=".*\\.gif"/>
              <Valve className="org.apache.catalina.ha.session.JvmRouteBinderValve"/>
              <Deployer className="org.apache.catalina.ha.deploy.FarmWarDeployer"
                        tempDir="/tmp/war-temp/" deployDir="/tmp/war-deploy/" watchDir="/tmp/war-listen/" watchEnabled="false"/>
              <ClusterListener className="org.apache.catalina.ha.session.ClusterSessionListener"/>
            </Cluster>""";

    private final List<Product> opened = new ArrayList<>();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @TempDir
    private Path directory = Path.of("");

    @AfterEach
    void stop() {
        opened.forEach(Product::close);
    }

    private static void file(Path file, String content) throws IOException {
        Files.createDirectories(file.resolveSibling("."));
        Files.writeString(file, content);
    }

    private Path base(String name, String cluster) throws IOException {
        Path base = directory.resolve(name);
        file(base.resolve("conf/server.xml"), """
                <Server port="-1"><Service name="Catalina"><Connector port="0" address="127.0.0.1" maxThreads="40"/>
                  <Engine name="Catalina" defaultHost="localhost">%s<Host name="localhost"/></Engine></Service></Server>
                """.formatted(cluster));
        Path shop = base.resolve("webapps/shop");
        file(
                shop.resolve("WEB-INF/web.xml"),
                "<web-app xmlns=\"http://xmlns.jcp.org/xml/ns/javaee\" version=\"4.0\"><distributable/></web-app>");
        file(shop.resolve("count.jsp"), COUNT);
        file(shop.resolve("peek.jsp"), "<%= session.getAttribute(\"seen\") %>");
        file(shop.resolve("end.jsp"), "<% session.invalidate(); %>bye");
        return base;
    }

    private Path installed(String name, String cluster) throws IOException {
        Path base = base(name, cluster);
        Path place = Files.createDirectories(base.resolve("lib/cluster/infinispan"));
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(ENGINE, "*.jar")) {
            for (Path jar : jars) {
                Files.copy(jar, place.resolve(jar.getFileName()));
            }
        }
        return base;
    }

    private Product node(String name, int port, String peers) throws IOException {
        String attributes = "peers=\"" + peers + "\" port=\"" + port + "\"";
        return start(installed(name, CLUSTER.formatted(attributes)));
    }

    /** A process, which can be killed. */
    private Product start(Path base) throws IOException {
        Product node = Product.process().serving("start", "--base=" + base);
        opened.add(node);
        return node;
    }

    private HttpResponse<String> get(Product node, String page, String cookie) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(node.url("/shop/" + page))).timeout(Duration.ofSeconds(30));
        if (!cookie.isEmpty()) {
            request.header("Cookie", cookie);
        }
        try {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** Counts once, as soon as the sessions are there. A change that was answered with 503 may have happened. */
    private void awaitCount(String expected, Product node, String cookie) {
        AtomicBoolean refused = new AtomicBoolean();
        Deadline.await("the sessions are there", PATIENCE, () -> {
            HttpResponse<String> seen = available(node, "peek.jsp", cookie);
            if (seen == null) {
                return false;
            }
            if (refused.get() && seen.body().strip().equals(expected)) {
                return true;
            }
            HttpResponse<String> counted = available(node, "count.jsp", cookie);
            refused.set(counted == null);
            if (counted != null) {
                assertEquals(expected, counted.body().strip());
            }
            return counted != null;
        });
    }

    private String begin(Product node) {
        return await(node, "count.jsp", "").headers().firstValue("Set-Cookie").orElseThrow();
    }

    private HttpResponse<String> await(Product node, String page, String cookie) {
        AtomicReference<HttpResponse<String>> found = new AtomicReference<>();
        Deadline.await("the sessions are there", PATIENCE, () -> {
            found.set(available(node, page, cookie));
            return found.get() != null;
        });
        return Objects.requireNonNull(found.get());
    }

    private @Nullable HttpResponse<String> available(Product node, String page, String cookie) {
        HttpResponse<String> response = get(node, page, cookie);
        if (response.statusCode() == OK) {
            return response;
        }
        assertEquals(503, response.statusCode());
        assertTrue(response.headers().firstValue("Retry-After").isPresent());
        return null;
    }

    @Test
    void shareTheirSessionsAsLongAsOneOfThemLives() throws Exception {
        int[] ports = {LocalPort.free(), LocalPort.free()};
        String peers = "127.0.0.1:" + ports[0] + ",127.0.0.1:" + ports[1];
        Product one = node("one", ports[0], peers);
        awaitCount("1", one, "");
        Product two = node("two", ports[1], peers);
        String cookie = begin(one);
        awaitCount("2", two, cookie);
        awaitCount("3", one, cookie);
        String ended = begin(two);
        awaitCount("2", one, ended);
        await(one, "end.jsp", ended);
        assertEquals("1", await(two, "count.jsp", ended).body().strip(), "another one");
        assertFalse(one.has("Unsafe"), one.output());
        ProcessHandle.of(one.pid()).orElseThrow().destroyForcibly();
        awaitCount("4", two, cookie);
        Product again = start(directory.resolve("one"));
        awaitCount("5", again, cookie);
        assertEquals(0, two.terminate().exitStatus(), two.output());
        awaitCount("6", again, cookie);
    }

    @Test
    void areCheckedBeforeTheyStart() throws Exception {
        assertChecked(0, "unzip millrace-infinispan-*.zip -d ", base("without", CLUSTER.formatted("")));
        assertChecked(0, "add peers=\"HOST:4000,…\"", installed("alone", CLUSTER.formatted("")));
        String outside = "peers='192.0.2.1:4000,192.0.2.2:4000' address='192.0.2.1'";
        assertChecked(1, "add secret=", installed("open", CLUSTER.formatted(outside)));
        assertChecked(
                1,
                "the Cluster Infinispan is not installed",
                base("none", "<Cluster className='io.millrace.Infinispan' peers='localhost'/>"));
        Path alone = directory.resolve("alone");
        Product server = Product.serving("start", "--base=" + alone);
        opened.add(server);
        awaitCount("1", server, "");
        try (Product refused = Product.launch("start", "--base=" + directory.resolve("open"))) {
            assertEquals(1, refused.exitStatus());
            assertTrue(refused.has("add secret="), refused.output());
        }
        Path silent = installed(
                "silent", "<Cluster className='io.millrace.Infinispan' peers='127.0.0.1:" + LocalPort.free() + "'/>");
        try (Product check = Product.launch("check", "--connect", "--base=" + silent)) {
            assertEquals(0, check.exitStatus(), check.output());
            assertTrue(check.has("cannot be reached"), check.output());
        }
    }

    private static void assertChecked(int status, String sentence, Path base) throws Exception {
        try (Product check = Product.launch("check", "--base=" + base)) {
            assertEquals(status, check.exitStatus(), check.output());
            assertTrue(check.has(sentence), check.output());
        }
    }
}

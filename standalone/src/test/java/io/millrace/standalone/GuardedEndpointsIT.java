package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.RawClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An endpoint of Tomcat's examples in WARs below webapps: one whose web.xml asks for a login, one whose filter refuses everybody. */
@NullUnmarked
@Tag("wars")
final class GuardedEndpointsIT {

    private static final String ECHO = "WEB-INF/classes/websocket/echo/EchoAnnotation.class";
    private static final String ENDPOINT = "/websocket/echoAnnotation";

    private static final String LOGIN = """
            <security-constraint>
              <web-resource-collection><web-resource-name>sockets</web-resource-name>
                <url-pattern>/websocket/*</url-pattern></web-resource-collection>
              <auth-constraint><role-name>clerk</role-name></auth-constraint>
            </security-constraint>
            <login-config><auth-method>BASIC</auth-method><realm-name>the office</realm-name></login-config>
            <security-role><role-name>clerk</role-name></security-role>
            """;

    @TempDir
    private Path base;

    private Product product;

    @BeforeEach
    void start() throws IOException {
        Path conf = Files.createDirectories(base.resolve("conf"));
        Files.writeString(conf.resolve("tomcat-users.xml"), """
                <tomcat-users><role rolename="clerk"/><user username="ann" password="right" roles="clerk"/></tomcat-users>
                """);
        Files.writeString(conf.resolve("server.xml"), """
                <Server port="-1"><Service name="s"><Connector port="0" address="127.0.0.1"/>
                <Engine name="e" defaultHost="localhost">
                <Realm className="org.apache.catalina.realm.MemoryRealm"/>
                <Host name="localhost" appBase="webapps" backgroundProcessorDelay="1"/></Engine></Service></Server>
                """);
        Files.createDirectories(base.resolve("webapps"));
        war("login.war", filter("HttpHeaderSecurityFilter", "") + LOGIN);
        war(
                "refused.war",
                filter(
                        "RemoteAddrFilter",
                        "<init-param><param-name>deny</param-name><param-value>.*</param-value></init-param>"));
        product = Product.serving("start", "--base=" + base);
    }

    @AfterEach
    void stop() {
        product.close();
    }

    private static String filter(String name, String parameters) {
        return """
                <filter><filter-name>f</filter-name>
                  <filter-class>org.apache.catalina.filters.%s</filter-class>%s</filter>
                <filter-mapping><filter-name>f</filter-name><url-pattern>/*</url-pattern></filter-mapping>
                """.formatted(name, parameters);
    }

    private void war(String name, String descriptor) throws IOException {
        try (ZipOutputStream war = new ZipOutputStream(
                Files.newOutputStream(base.resolve("webapps").resolve(name)))) {
            war.putNextEntry(new ZipEntry("WEB-INF/web.xml"));
            String text = "<web-app xmlns=\"http://xmlns.jcp.org/xml/ns/javaee\" version=\"4.0\">" + descriptor
                    + "</web-app>";
            war.write(text.getBytes(StandardCharsets.UTF_8));
            war.putNextEntry(new ZipEntry(ECHO));
            war.write(Files.readAllBytes(Path.of(Product.war("apache-tomcat-9.0.98/webapps/examples"))
                    .resolve(ECHO)));
        }
    }

    /** The head of the answer to a handshake. */
    private String handshake(String application, String fields) throws IOException {
        try (RawClient client = RawClient.connect(product.ports().get(0))) {
            client.send("GET " + application + ENDPOINT + " HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\n"
                    + "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                    + fields + "\r\n");
            return client.readUntil("\r\n\r\n");
        }
    }

    private static String basic(String userAndPassword) {
        return "Basic " + Base64.getEncoder().encodeToString(userAndPassword.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void opensForThoseWhoLogInThroughFiltersAndClosesWhenTheWarGoes() throws Exception {
        String asked = handshake("/login", "");
        assertTrue(asked.startsWith("HTTP/1.1 401 "), asked);
        assertTrue(asked.contains("\r\nWWW-Authenticate: Basic realm=\"the office\""), asked);
        String wrong = handshake("/login", "Authorization: " + basic("ann:wrong") + "\r\n");
        assertTrue(wrong.startsWith("HTTP/1.1 401 "), wrong);
        String opened = handshake("/login", "Authorization: " + basic("ann:right") + "\r\n");
        assertTrue(opened.startsWith("HTTP/1.1 101 "), opened);
        assertTrue(opened.contains("\r\nX-Frame-Options: DENY\r\n"), opened);

        ProductSocket socket = ProductSocket.open(
                product, "/login" + ENDPOINT, builder -> builder.header("Authorization", basic("ann:right")));
        socket.send("here");
        assertEquals("text here", socket.next());
        Files.delete(base.resolve("webapps/login.war"));
        assertEquals("close 1001", socket.next());
        product.awaitLine("MILLRACE4771: Undeployed " + base.resolve("webapps/login.war"));
    }

    @Test
    void staysClosedBehindAFilterThatRefuses() throws Exception {
        String answer = handshake("/refused", "");
        assertTrue(answer.startsWith("HTTP/1.1 403 "), answer);
    }
}

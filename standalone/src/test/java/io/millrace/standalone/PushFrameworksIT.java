package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** CometD 5 and Atmosphere 2.7, unchanged, in one application on the product: it … */
@NullUnmarked
@Tag("wars")
final class PushFrameworksIT {

    private static final String DESCRIPTOR = """
            <web-app xmlns="http://xmlns.jcp.org/xml/ns/javaee" version="3.1">
              <servlet>
                <servlet-name>cometd</servlet-name>
                <servlet-class>org.cometd.server.CometDServlet</servlet-class>
                <init-param>
                  <param-name>ws.cometdURLMapping</param-name>
                  <param-value>/cometd/*</param-value>
                </init-param>
                <load-on-startup>1</load-on-startup>
                <async-supported>true</async-supported>
              </servlet>
              <servlet-mapping>
                <servlet-name>cometd</servlet-name>
                <url-pattern>/cometd/*</url-pattern>
              </servlet-mapping>
              <servlet>
                <servlet-name>atmosphere</servlet-name>
                <servlet-class>org.atmosphere.cpr.AtmosphereServlet</servlet-class>
                <init-param>
                  <param-name>org.atmosphere.websocket.WebSocketProtocol</param-name>
                  <param-value>org.atmosphere.websocket.protocol.EchoProtocol</param-value>
                </init-param>
                <init-param>
                  <param-name>org.atmosphere.cpr.AtmosphereInterceptor</param-name>
                  <param-value>org.atmosphere.interceptor.AtmosphereResourceLifecycleInterceptor</param-value>
                </init-param>
                <load-on-startup>2</load-on-startup>
                <async-supported>true</async-supported>
              </servlet>
              <servlet-mapping>
                <servlet-name>atmosphere</servlet-name>
                <url-pattern>/atmosphere/*</url-pattern>
              </servlet-mapping>
            </web-app>
            """;

    private static final String HANDLERS = """
            <atmosphere-handlers>
              <atmosphere-handler context-root="/atmosphere/*"
                  class-name="org.atmosphere.handler.AbstractReflectorAtmosphereHandler$Default" />
            </atmosphere-handlers>
            """;

    private static final Pattern CLIENT = Pattern.compile("\"clientId\":\"([^\"]+)\"");

    /** What Atmosphere's JavaScript adds to the address. */
    private static final String BY_WEBSOCKET =
            "?X-Atmosphere-tracking-id=0&X-Atmosphere-Framework=2.3.9-javascript&X-Atmosphere-Transport=websocket";

    @TempDir
    private static Path work;

    private static Product product;

    @BeforeAll
    static void start() throws Exception {
        Path application = Files.createDirectory(work.resolve("push"));
        Path libraries = Files.createDirectories(application.resolve("WEB-INF/lib"));
        try (var jars = Files.newDirectoryStream(Path.of(Product.war("push-libraries")))) {
            for (Path jar : jars) {
                Files.copy(jar, libraries.resolve(jar.getFileName()));
            }
        }
        Files.writeString(application.resolve("WEB-INF/web.xml"), DESCRIPTOR);
        Files.writeString(Files.createDirectory(application.resolve("META-INF")).resolve("atmosphere.xml"), HANDLERS);
        product = Product.serving(
                "run", "--port=0", "--address=127.0.0.1", "--work=" + work.resolve("work"), application.toString());
    }

    @AfterAll
    static void stop() {
        product.close();
    }

    @AfterEach
    void assertNoFailureLogged() {
        assertFalse(product.has(" ERROR "), product.output());
    }

    @Test
    void deliversMessagesOfCometD() throws Exception {
        ProductSocket socket = ProductSocket.open(product, "/push/cometd");
        String client = cometD(socket);
        socket.send("[{\"id\":\"4\",\"channel\":\"/chat\",\"clientId\":\"" + client + "\",\"data\":\"hällo\"}]");
        awaitText(socket, "\"data\":\"hällo\"");
        socket.close();
        awaitText(socket, "close 1000");
    }

    /** Long polling, as CometD's clients do where WebSockets do not get through. */
    @Test
    void letsClientsOfCometDMeetThoseWithoutWebSocket() throws Exception {
        ProductSocket socket = ProductSocket.open(product, "/push/cometd");
        cometD(socket);
        HttpClient poller =
                HttpClient.newBuilder().cookieHandler(new CookieManager()).build();
        String greeted = post(
                poller,
                "[{\"id\":\"1\",\"channel\":\"/meta/handshake\",\"version\":\"1.0\","
                        + "\"supportedConnectionTypes\":[\"long-polling\"]}]");
        post(
                poller,
                "[{\"id\":\"2\",\"channel\":\"/chat\",\"clientId\":\"" + client(greeted)
                        + "\",\"data\":\"by polling\"}]");
        awaitText(socket, "\"data\":\"by polling\"");
        socket.close();
    }

    @Test
    void broadcastsForAtmosphere() throws Exception {
        ProductSocket first = ProductSocket.open(product, "/push/atmosphere/room" + BY_WEBSOCKET);
        ProductSocket second = ProductSocket.open(product, "/push/atmosphere/room" + BY_WEBSOCKET);
        first.send("hällo");
        awaitText(first, "hällo");
        awaitText(second, "hällo");
        first.close();
        awaitText(first, "close 1000");
        second.close();
    }

    /** Handshake, subscription and the first connect of Bayeux; returns the client's id. */
    private static String cometD(ProductSocket socket) throws Exception {
        socket.send("[{\"id\":\"1\",\"channel\":\"/meta/handshake\",\"version\":\"1.0\","
                + "\"supportedConnectionTypes\":[\"websocket\"]}]");
        String client = client(awaitText(socket, "\"successful\":true"));
        String from = "\",\"clientId\":\"" + client + "\"";
        socket.send("[{\"id\":\"2\",\"channel\":\"/meta/subscribe" + from + ",\"subscription\":\"/chat\"}]");
        awaitText(socket, "\"successful\":true");
        socket.send("[{\"id\":\"3\",\"channel\":\"/meta/connect" + from + ",\"connectionType\":\"websocket\"}]");
        awaitText(socket, "\"successful\":true");
        return client;
    }

    private static String client(String answer) {
        Matcher id = CLIENT.matcher(answer);
        assertTrue(id.find(), answer);
        return id.group(1);
    }

    private static String post(HttpClient client, String messages) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(product.url("/push/cometd")))
                .header("Content-Type", "application/json;charset=UTF-8")
                .POST(HttpRequest.BodyPublishers.ofString(messages))
                .build();
        String answer =
                client.send(request, HttpResponse.BodyHandlers.ofString()).body();
        assertTrue(answer.contains("\"successful\":true"), answer);
        return answer;
    }

    /** The next message that holds a text; what comes before it is dropped. */
    private static String awaitText(ProductSocket socket, String text) throws Exception {
        String next = socket.next();
        while (!next.contains(text)) {
            assertFalse(next.equals("null") || next.startsWith("close"), next + " in place of " + text);
            next = socket.next();
        }
        return next;
    }
}

package io.millrace.connector.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Connector;
import io.millrace.Server;
import io.millrace.http1.Http1Protocol;
import io.millrace.io.BufferPool;
import io.millrace.proxy.ProxyApplication;
import io.millrace.servlet.WebApplication;
import io.millrace.settings.Settings;
import io.millrace.testkit.RawClient;
import io.millrace.testkit.SocketLink;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.servlet.FilterChain;
import javax.servlet.ServletException;
import javax.servlet.http.HttpFilter;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import javax.servlet.http.HttpUpgradeHandler;
import javax.servlet.http.WebConnection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests for WebSockets to paths of an application, some of which are none. It … */
@Timeout(60)
final class TunnelsToServletsTest {

    private static final AtomicInteger PAGES = new AtomicInteger();
    private static final AtomicInteger FILTERED = new AtomicInteger();

    private final List<AutoCloseable> open = new ArrayList<>();
    private int port;

    /** A page. */
    private static final class Page extends HttpServlet {
        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            PAGES.incrementAndGet();
            response.getWriter().print("page");
        }
    }

    /** Forwards. */
    private static final class Forwarding extends HttpServlet {
        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response)
                throws ServletException, IOException {
            request.getRequestDispatcher("/page").forward(request, response);
        }
    }

    /** Upgrades whatever comes. */
    private static final class Upgrading extends HttpServlet {
        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response)
                throws ServletException, IOException {
            request.upgrade(Closing.class);
        }
    }

    /** Closes at once. */
    public static final class Closing implements HttpUpgradeHandler {
        @Override
        public void init(WebConnection connection) {
            try {
                connection.close();
            } catch (Exception closed) {
                throw new IllegalStateException(closed);
            }
        }

        @Override
        public void destroy() {}
    }

    /** Forwards to the upgrade, as frameworks that route by filters. */
    private static final class Routing extends HttpFilter {
        @Override
        protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            FILTERED.incrementAndGet();
            if (request.getServletPath().equals("/routed")) {
                request.getRequestDispatcher("/upgrade").forward(request, response);
            } else {
                chain.doFilter(request, response);
            }
        }
    }

    @BeforeEach
    void start() throws IOException {
        PAGES.set(0);
        FILTERED.set(0);
        WebApplication application = WebApplication.builder("")
                .servlet("page", new Page(), "/page")
                .servlet("forwarding", new Forwarding(), "/forwarding")
                .servlet("upgrade", new Upgrading(), "/upgrade")
                .filter("routing", new Routing(), "/*")
                .build();
        Server server =
                Server.builder().connector(connector()).application(application).start();
        open.add(() -> server.stop(Duration.ZERO));
        port = server.port();
    }

    @AfterEach
    void close() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
    }

    private static Connector connector() {
        return Connector.builder()
                .address("127.0.0.1")
                .port(0)
                .protocols(List.of(
                        new Http2Protocol(Settings.DEFAULTS, "http"), new Http1Protocol(Settings.DEFAULTS, "http")))
                .build();
    }

    private static String handshake(String path) {
        return "GET " + path + " HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    }

    /** The status of an extended CONNECT, 101 for a tunnel. */
    private int connect(String path) throws IOException {
        RawClient client = RawClient.connect(port);
        open.add(client);
        Http2TunnelLink tunnel = new Http2TunnelLink(new SocketLink(client, BufferPool.ofDefaultSize()));
        tunnel.send(handshake(path).getBytes(StandardCharsets.ISO_8859_1));
        String head = new String(tunnel.receive(), StandardCharsets.ISO_8859_1);
        return Integer.parseInt(head.split(" ", -1)[1]);
    }

    @ParameterizedTest
    @CsvSource({
        "/page, 501",
        "/forwarding, 501",
        "/upgrade, 101",
        "/routed, 101",
        "/none, 404",
    })
    void runsNoPageForWhoAsksForATunnel(String path, int status) throws Exception {
        assertEquals(status, connect(path));
        assertEquals(0, PAGES.get());
        assertEquals(1, FILTERED.get());
    }

    /** As it does over every other protocol with backends: HTTP/1.1 lets servers ignore Upgrade (RFC 9110, 7.8). */
    @Test
    void sendsThePageToAClientOfHttp1ThroughTheProxy() throws Exception {
        ProxyApplication application = ProxyApplication.to("h2c://127.0.0.1:" + port);
        Server proxy =
                Server.builder().connector(connector()).application(application).start();
        open.add(() -> proxy.stop(Duration.ZERO));
        RawClient client = RawClient.connect(proxy.port());
        open.add(client);
        for (int i = 1; i <= 2; i++) {
            client.send(handshake("/page"));
            String head = client.readUntil("\r\n\r\n");
            assertTrue(head.startsWith("HTTP/1.1 200 "), head);
            assertEquals("page", client.readText(4));
            assertEquals(i, PAGES.get());
        }
        client.send(handshake("/upgrade"));
        assertTrue(client.readUntil("\r\n\r\n").startsWith("HTTP/1.1 101 "));
    }
}

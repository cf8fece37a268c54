package io.millrace.testkit;

import static io.millrace.testkit.ProxyHarness.GET;
import static io.millrace.testkit.ProxyHarness.OK;
import static io.millrace.testkit.ProxyHarness.assertStatus;
import static io.millrace.testkit.ProxyHarness.uri;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Server;
import io.millrace.exchange.NonBlockingHandler;
import io.millrace.io.Completion;
import io.millrace.io.Payload;
import io.millrace.proxy.BackendState;
import io.millrace.proxy.BackendStatus;
import io.millrace.proxy.ProxyApplication;
import io.millrace.proxy.ProxyOptions;
import io.millrace.testkit.ProxyHarness.Peer;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The choice of a backend and the pool of its connections, on a transport. A proxy … */
interface ProxyBackendCases {

    ProxyHarness harness();

    @Test
    default void keepsASessionWithItsBackend() throws Exception {
        ServerSocket other = harness().listening();
        Server proxy = harness()
                .start(ProxyApplication.to(
                                uri(other.getLocalPort()) + "?route=one",
                                uri(harness().backend().getLocalPort()) + "?route=two&weight=1")
                        .with(ProxyOptions.STICKY, "JSESSIONID"));
        for (int i = 0; i < 5; i++) {
            Peer client = harness().client(proxy);
            client.send(
                    i % 2 == 0
                            ? "GET / HTTP/1.1\r\nHost: shop\r\nCookie: a=b; JSESSIONID=123.two\r\nConnection: close\r\n\r\n"
                            : "GET /a;jsessionid=123.two HTTP/1.1\r\nHost: shop\r\nConnection: close\r\n\r\n");
            Peer server = harness().accept();
            server.head();
            server.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
            assertStatus(200, client.rest());
        }
    }

    /** Otherwise a client that aborts requests would direct all other requests to their backend. */
    @Test
    default void countsARequestThatItsClientAbortsOnce() throws Exception {
        ServerSocket other = harness().listening();
        Server proxy = harness()
                .start(ProxyApplication.to(
                                uri(other.getLocalPort()) + "?route=one",
                                uri(harness().backend().getLocalPort()) + "?route=two")
                        .with(ProxyOptions.STICKY, "S"));
        for (int i = 0; i < 8; i++) {
            Peer client = harness().client(proxy);
            client.send("GET / HTTP/1.1\r\nHost: shop\r\nCookie: S=1.two\r\n\r\n");
            Peer server = harness().accept();
            server.head();
            client.socket().setSoLinger(true, 0);
            client.close();
            server.rest();
        }
        harness().client(proxy).send(GET.replace("shop", "shop\r\nCookie: S=1.two"));
        harness().accept().head();
        harness().client(proxy).send(GET); // if aborted requests were counted twice, the busy backend would get it
        other.setSoTimeout(30_000);
        harness().opened(new Peer(other.accept())).head();
    }

    @Test
    default void answersForABackendWhoseConnectionsAreAllInUse() throws Exception {
        Server proxy = harness()
                .start(ProxyApplication.to(uri(harness().backend().getLocalPort()))
                        .with(ProxyOptions.MAX_CONNECTIONS, 1)
                        .with(ProxyOptions.MAX_WAITING, 0)
                        .with(ProxyOptions.RETRIES, 0));
        harness().client(proxy).send(GET);
        harness().accept().head();
        String refused = harness().client(proxy).send(GET).head();
        assertStatus(503, refused);
        assertTrue(refused.contains("Retry-After: 1"), refused);
    }

    @Test
    @DiffersByTransport
    default void givesUpThePlaceInTheLineOfAClientThatGoes() throws Exception {
        ProxyApplication proxy = ProxyApplication.to(uri(harness().backend().getLocalPort()))
                .with(ProxyOptions.MAX_CONNECTIONS, 1)
                .with(ProxyOptions.MAX_WAITING, 1);
        Server server = harness().start(proxy);
        Peer first = harness().client(server).send(GET);
        Peer backend = harness().accept();
        backend.head();
        Peer second = harness().client(server).send(GET);
        Deadline.await("a request to wait", () -> status(proxy).waiting() == 1);
        second.socket().setSoLinger(true, 0);
        second.close();
        Deadline.await("its place to be free", () -> status(proxy).waiting() == 0);
        Peer third = harness().client(server).send(GET);
        Deadline.await("the next to wait", () -> status(proxy).waiting() == 1);
        backend.send(OK);
        assertStatus(200, first.receive("\r\n\r\nok"));
        backend.head();
        backend.send(OK);
        assertStatus(200, third.receive("\r\n\r\nok"));
    }

    @Test
    default void asksBackendsForTheirHealth() throws Exception {
        AtomicInteger answer = new AtomicInteger(503);
        Server checked = harness().start((NonBlockingHandler) exchange -> {
            boolean isCheck = exchange.request().path().raw().equals("/health")
                    && "GET".equals(exchange.request().method());
            exchange.response().status(isCheck ? answer.get() : 404).contentLength(0);
            exchange.output().write(Payload.NOTHING, true, Completion.IGNORE);
        });
        ProxyApplication proxy = ProxyApplication.to(
                        uri(checked.port()), uri(harness().backend().getLocalPort()))
                .with(ProxyOptions.HEALTH_PATH, "/health?now")
                .with(ProxyOptions.HEALTH_INTERVAL, Duration.ofMillis(100));
        Server server = harness().start(proxy);
        Deadline.await("503 to be noticed", () -> status(proxy).state() == BackendState.DOWN);
        Deadline.await("silence to be noticed", () -> proxy.status().get(1).state() == BackendState.DOWN);
        answer.set(302);
        Deadline.await("302 to be noticed", () -> status(proxy).state() == BackendState.UP);
        checked.stop(Duration.ZERO);
        Deadline.await("the closed port to be noticed", () -> status(proxy).state() == BackendState.DOWN);
        server.stop(Duration.ZERO);
        assertEquals(List.of(), proxy.status());
    }

    @Test
    @DiffersByTransport
    default void drainsABackend() throws Exception {
        ServerSocket other = harness().listening();
        new Thread(() -> BackendMain.serve(harness().backend(), "first"), "first").start();
        new Thread(() -> BackendMain.serve(other, "other"), "other").start();
        String first = uri(harness().backend().getLocalPort());
        ProxyApplication proxy = ProxyApplication.to(first + "?route=one", uri(other.getLocalPort()))
                .with(ProxyOptions.STICKY, "S");
        Server server = harness().start(proxy);
        proxy.drain(first);
        assertEquals(BackendState.DRAINING, status(proxy).state());
        Peer client = harness().client(server);
        for (int i = 0; i < 10; i++) {
            client.send(GET).receive("\r\n\r\nother");
        }
        client.send(GET.replace("shop", "shop\r\nCookie: S=1.one")).receive("\r\n\r\nfirst");
        proxy.drain(uri(other.getLocalPort()));
        assertStatus(503, harness().client(server).send(GET).head());
        proxy.resume(first);
        harness().client(server).send(GET).receive("\r\n\r\nfirst");
        assertThrows(IllegalArgumentException.class, () -> proxy.drain("http://127.0.0.1"));
    }

    /** The status of the first backend. */
    private static BackendStatus status(ProxyApplication proxy) {
        return proxy.status().get(0);
    }

    /** Each request of a client has a connection of its own, which is not reused. */
    @Test
    default void tellsBackendsOfTheClientByAConnectionOfItsOwn() throws Exception {
        Server proxy = harness()
                .start(ProxyApplication.to(uri(harness().backend().getLocalPort()))
                        .with(ProxyOptions.PROXY_PROTOCOL, "v2"));
        Peer client = harness().client(proxy);
        for (int i = 0; i < 2; i++) {
            client.send(GET);
            Peer server = harness().accept();
            assertEquals(
                    "0d0a0d0a000d0a515549540a2111000c7f0000017f000001%04x%04x"
                            .formatted(client.socket().getLocalPort(), proxy.port()),
                    HexFormat.of().formatHex(server.socket().getInputStream().readNBytes(28)));
            assertTrue(server.head().startsWith("GET /a?b HTTP/1.1"));
            server.send(OK);
            assertStatus(200, client.receive("\r\n\r\nok"));
            assertEquals("", server.rest());
        }
    }
}

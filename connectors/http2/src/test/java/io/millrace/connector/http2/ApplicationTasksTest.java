package io.millrace.connector.http2;

import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.Connector;
import io.millrace.Server;
import io.millrace.ServerBuilder;
import io.millrace.exchange.HttpHandler;
import io.millrace.handler.Responses;
import io.millrace.http1.Http1Protocol;
import io.millrace.io.ReachedLimits.Limit;
import io.millrace.servlet.WebApplication;
import io.millrace.settings.Settings;
import io.millrace.testkit.Deadline;
import io.millrace.testkit.RawClient;
import io.millrace.websocket.WebSocketHandler;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What an application does on workers besides its handlers for the requests of one connection: it leaves workers to others … */
@Timeout(60)
final class ApplicationTasksTest {

    private static final int STREAMS = 50;

    /** A masked text frame, "x". */
    private static final String TEXT = "\u0081\u0081\0\0\0\0x";

    private final CountDownLatch end = new CountDownLatch(1);
    private final AtomicInteger blocked = new AtomicInteger();

    private void block() {
        blocked.incrementAndGet();
        Deadline.awaitUninterrupted(end);
    }

    private void leavesWorkersToOthers(ServerBuilder application, Wire requests) throws Exception {
        Connector connector = Connector.builder()
                .port(0)
                .protocols(List.of(
                        new Http2Protocol(Settings.DEFAULTS, "http"), new Http1Protocol(Settings.DEFAULTS, "http")))
                .build();
        try (Server server = application.connector(connector).maxThreads(4).start();
                RawClient hostile = RawClient.connect(server.port());
                RawClient good = RawClient.connect(server.port())) {
            hostile.send(requests.toArray());
            Deadline.await("workers to be occupied", () -> blocked.get() >= 3);
            for (int i = 0; i < 20; i++) {
                assertTrue(good.send("GET /hello HTTP/1.1\r\nHost: localhost\r\n\r\n")
                        .readUntil("hello")
                        .contains(" 200 "));
            }
            assertNotEquals(0, server.reachedLimits().get(0).times(Limit.CONNECTION_WORKERS));
            end.countDown();
            Deadline.await("all to run", () -> blocked.get() == STREAMS);
        } finally {
            end.countDown();
        }
    }

    @Test
    void inTheEndpointsOfItsWebSockets() throws Exception {
        WebSocketHandler endpoint = WebSocketHandler.onText((connection, message) -> block());
        HttpHandler hello = exchange -> Responses.text(exchange, 200, "hello");
        Wire requests = Wire.begun();
        for (int id = 1; id < 2 * STREAMS; id += 2) {
            requests.request(
                            id,
                            false,
                            ":method",
                            "CONNECT",
                            ":protocol",
                            "websocket",
                            ":scheme",
                            "http",
                            ":authority",
                            "localhost",
                            ":path",
                            "/chat",
                            "sec-websocket-version",
                            "13")
                    .data(id, TEXT, false);
        }
        leavesWorkersToOthers(
                Server.builder()
                        .handler(exchange -> exchange.dispatch(
                                exchange.request().path().decoded().equals("/chat") ? endpoint : hello)),
                requests);
    }

    @Test
    void inTasksOfAsynchronousServlets() throws Exception {
        Wire requests = Wire.begun();
        for (int id = 1; id < 2 * STREAMS; id += 2) {
            requests.get(id, "/start");
        }
        leavesWorkersToOthers(
                Server.builder()
                        .application(WebApplication.builder("")
                                .servlet("start", new Starts(), "/start")
                                .servlet("hello", new Hello(), "/hello")
                                .build()),
                requests);
    }

    private final class Starts extends HttpServlet {

        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) {
            request.startAsync().start(() -> {
                block();
                request.getAsyncContext().complete();
            });
        }
    }

    private static final class Hello extends HttpServlet {

        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getWriter().print("hello");
        }
    }
}

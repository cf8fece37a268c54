package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ConnectorOptions;
import io.millrace.Server;
import io.millrace.exchange.RequestId;
import io.millrace.forwarded.RemoteIp;
import io.millrace.net.AddressSet;
import io.millrace.testkit.RawClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.servlet.AsyncContext;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** With requestId, a request … */
@Timeout(60)
final class RequestIdsTest {

    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String SENT =
            "X-Request-Id: from.front-end_1\r\ntraceparent: 00-" + TRACE + "-00f067aa0ba902b7-01\r\n";
    private static final String NONE = "none";

    /** By request number: the ids of the threads that worked for it, as they knew them. */
    private final Map<String, List<String>> seen = new ConcurrentHashMap<>();

    private WebApplication application() {
        return WebApplication.builder("")
                .servlet(
                        "id",
                        Serving.with((request, response) ->
                                response.getWriter().print(known() + " " + request.getAttribute(RequestId.ATTRIBUTE))),
                        "/id")
                .servlet(
                        "reset",
                        Serving.with((request, response) -> {
                            response.setHeader("X-Request-Id", "of the application");
                            response.reset();
                            response.getWriter().print(request.getAttribute(RequestId.TRACE_ATTRIBUTE));
                        }),
                        "/reset")
                .servlet("fail", Serving.with((request, response) -> response.sendError(500)), "/fail")
                .servlet("async", Serving.with(this::async), "/async")
                .servlet(
                        "forward",
                        Serving.with((request, response) ->
                                request.getRequestDispatcher("/async").forward(request, response)),
                        "/forward")
                .build();
    }

    /** What a log line of this thread would have. */
    private static String known() {
        RequestId id = RequestId.current();
        return id == null ? NONE : id.value();
    }

    private void note(HttpServletRequest request) {
        note(request.getParameter("n"), known());
    }

    private void note(String n, String id) {
        seen.computeIfAbsent(n, first -> Collections.synchronizedList(new ArrayList<>()))
                .add(id);
    }

    /** A thread started by the container, then a dispatch, then the end. */
    private void async(HttpServletRequest request, HttpServletResponse response) throws IOException {
        note(request);
        if (request.getAttribute("again") != null) {
            response.getWriter().print(request.getAttribute(RequestId.ATTRIBUTE));
            return;
        }
        request.setAttribute("again", true);
        AsyncContext async = request.startAsync();
        async.start(() -> {
            note(request);
            async.dispatch("/async");
        });
    }

    private Server server(boolean ids, @Nullable String trusted) throws IOException {
        var builder = Server.builder()
                .connector(Carrier.byDefault()
                        .connector()
                        .address("127.0.0.1")
                        .with(ConnectorOptions.REQUEST_ID, ids)
                        .build())
                .application(application());
        if (trusted != null) {
            builder.forwarded(RemoteIp.trusting(AddressSet.parse(trusted)));
        }
        return builder.start();
    }

    private static String get(Server server, String path, String headers) throws IOException {
        try (RawClient client = RawClient.connect(server.port())) {
            return client.send("GET " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" + headers + "\r\n")
                    .readTextToEnd();
        }
    }

    private static String header(String response, String name) {
        Matcher found = Pattern.compile("(?m)^" + name.toLowerCase(Locale.ROOT) + ": (.*?)\r?$")
                .matcher(response.lines()
                        .map(line -> line.replaceFirst("^(?i)" + name + ":", name.toLowerCase(Locale.ROOT) + ":"))
                        .collect(Collectors.joining("\n")));
        String value = found.find() ? found.group(1) : "";
        assertFalse(found.find(), response);
        return value;
    }

    @Test
    void hasNoneOfItUnlessItIsOn() throws Exception {
        try (Server server = server(false, "127.0.0.1")) {
            String response = get(server, "/id", SENT);
            assertTrue(response.endsWith("none null"), response);
            assertEquals("", header(response, "X-Request-Id"));
            assertEquals("", header(response, "traceparent"));
        }
    }

    @Test
    void getsAnIdThatItsResponseAttributeAndThreadHave() throws Exception {
        try (Server server = server(true, null)) {
            String response = get(server, "/id", SENT);
            String id = header(response, "X-Request-Id");
            assertTrue(id.matches("[0-9a-z]{16}"), response);
            assertTrue(response.endsWith(id + " " + id), response);
            String file = get(server, "/nowhere", "");
            String ofFile = header(file, "X-Request-Id");
            assertTrue(file.contains("Request <code>" + ofFile + "</code>"), file);
            assertNull(RequestId.current());
        }
    }

    @Test
    void keepsTheIdsOfATrustedFrontEndAndNoOthers() throws Exception {
        try (Server server = server(true, "127.0.0.1")) {
            String response = get(server, "/reset", SENT);
            assertEquals("from.front-end_1", header(response, "X-Request-Id"));
            assertTrue(
                    header(response, "traceparent").matches("00-" + TRACE + "-(?!00f067aa0ba902b7)[0-9a-f]{16}-01"),
                    response);
            assertTrue(response.endsWith(TRACE), response);
            String failed = get(server, "/fail", SENT + "Accept: application/json\r\n");
            assertTrue(failed.contains("\"request\":\"from.front-end_1\""), failed);
        }
        try (Server server = server(true, "192.0.2.1")) {
            String response = get(server, "/reset", SENT);
            assertTrue(header(response, "X-Request-Id").matches("[0-9a-z]{16}"), response);
            assertFalse(response.contains(TRACE), response);
        }
    }

    /** Each line of the log has the id of its request, over dispatches and on the application's own threads. */
    @Test
    void neverGivesItsIdToTheThreadsOfAnother() throws Exception {
        int count = 200;
        try (Server server = server(true, "127.0.0.1")) {
            List<Thread> clients = new ArrayList<>();
            for (int c = 0; c < 4; c++) {
                int first = c;
                Thread client = new Thread(() -> {
                    try (RawClient connection = RawClient.connect(server.port())) {
                        for (int n = first; n < count; n += 4) {
                            String id = n % 3 == 0 ? "" : "X-Request-Id: n" + n + "\r\n";
                            connection.send("GET " + (n % 2 == 0 ? "/async" : "/forward") + "?n=" + n
                                    + " HTTP/1.1\r\nHost: x\r\n" + id + "\r\n");
                            String head = connection.readUntil("\r\n\r\n");
                            String own = header(head, "X-Request-Id");
                            connection.readText(Integer.parseInt(header(head, "Content-Length")));
                            note(Integer.toString(n), own);
                        }
                    } catch (IOException e) {
                        seen.put(e.toString(), List.of("failed", "failed"));
                    }
                });
                clients.add(client);
                client.start();
            }
            for (Thread client : clients) {
                client.join(TimeUnit.SECONDS.toMillis(50));
            }
        }
        assertEquals(count, seen.size());
        seen.forEach((n, ids) -> {
            assertEquals(4, ids.size(), () -> n + " " + ids);
            assertEquals(1, ids.stream().distinct().count(), () -> n + " " + ids);
            if (Integer.parseInt(n) % 3 != 0) {
                assertEquals("n" + n, ids.get(0));
            }
        });
    }
}

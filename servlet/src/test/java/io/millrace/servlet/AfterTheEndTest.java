package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.RawClient;
import java.util.Deque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.servlet.ServletRequestAttributeEvent;
import javax.servlet.ServletRequestAttributeListener;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import javax.servlet.http.HttpUpgradeHandler;
import org.junit.jupiter.api.Test;

/** A request that an application keeps beyond its end (Servlet 3.1, 3.12) … */
@OnEachCarrier
final class AfterTheEndTest {

    private final Carrier carrier;

    private final Queue<String> told = new ConcurrentLinkedQueue<>();
    private final Deque<HttpServletRequest> request = new ConcurrentLinkedDeque<>();
    private final Deque<HttpServletResponse> response = new ConcurrentLinkedDeque<>();

    AfterTheEndTest(Carrier carrier) {
        this.carrier = carrier;
    }

    private Deployed deploy() throws Exception {
        return Deployed.on(
                carrier,
                WebApplication.builder("")
                        .listener(new ServletRequestAttributeListener() {
                            @Override
                            public void attributeAdded(ServletRequestAttributeEvent event) {
                                told.add(event.getName());
                            }
                        })
                        .servlet(
                                "kept",
                                Serving.with((asked, answer) -> {
                                    request.add(asked);
                                    response.add(answer);
                                    answer.getWriter().print("answer");
                                }),
                                s -> {
                                    s.addMapping("/kept");
                                    s.setAsyncSupported(true);
                                })
                        .servlet(
                                "session",
                                Serving.with((asked, answer) -> answer.getWriter()
                                        .print(asked.getSession().getId())),
                                "/session"));
    }

    @Test
    void startsNothing() throws Exception {
        try (Deployed app = deploy()) {
            var begun = app.get("/session");
            String field = begun.headers().firstValue("Set-Cookie").orElseThrow();
            String cookie = field.substring(0, field.indexOf(';'));
            assertEquals(
                    "answer",
                    app.send(app.request("/kept?a=b").header("Cookie", cookie)).body());
            HttpServletRequest kept = request.getLast();
            assertThrows(IllegalStateException.class, kept::startAsync);
            assertThrows(IllegalStateException.class, () -> kept.startAsync(kept, response.getLast()));
            assertThrows(IllegalStateException.class, () -> kept.upgrade(HttpUpgradeHandler.class));
            assertNull(kept.getSession(false));
            assertThrows(IllegalStateException.class, kept::getSession);
            assertThrows(IllegalStateException.class, kept::changeSessionId);
            assertEquals("b", kept.getParameter("a"));
            assertNotNull(kept.getCookies());
            assertEquals(
                    begun.body(),
                    app.send(app.request("/session").header("Cookie", cookie)).body(),
                    "the session lives on");
        }
    }

    /** The next request of the connection sees nothing of what is done to the one before it. */
    @Test
    void reachesNobody() throws Exception {
        try (Deployed app = deploy();
                RawClient client = RawClient.connect(app.port())) {
            for (int i = 0; i < 3; i++) {
                client.send("GET /kept HTTP/1.1\r\nHost: x\r\n\r\n");
                String head = client.readUntil("\r\n\r\n");
                assertTrue(head.contains("Content-Length: 6\r\n"), head);
                assertEquals("answer", client.readText(6));
                request.getLast().setAttribute("late", i);
                assertEquals(i, request.getLast().getAttribute("late"));
                response.getLast().setHeader("X-Late", "1");
                response.getLast().setStatus(500);
                response.getLast().getWriter().print("late");
                response.getLast().flushBuffer();
                assertTrue(told.isEmpty());
                assertTrue(!head.contains("X-Late"), head);
            }
        }
    }
}

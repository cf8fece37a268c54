package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.Deadline;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import javax.servlet.ServletException;
import javax.servlet.ServletRequestEvent;
import javax.servlet.ServletRequestListener;
import javax.servlet.UnavailableException;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.Test;

@OnDefaultCarriers
class ServletLifeTest {

    private final Carrier carrier;

    ServletLifeTest(Carrier carrier) {
        this.carrier = carrier;
    }

    private final Queue<String> events = new ConcurrentLinkedQueue<>();

    /** Says when it is initialized and destroyed. */
    private class Telling extends HttpServlet {

        private static final long serialVersionUID = 1L;

        @Override
        public void init() throws ServletException {
            events.add("init " + getServletName());
        }

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response)
                throws ServletException, IOException {
            response.getWriter().print("served");
        }

        @Override
        public void destroy() {
            events.add("destroy " + getServletName());
        }
    }

    /** Fails as often as it is told. */
    private final class Failing extends Telling {

        private static final long serialVersionUID = 1L;

        private final AtomicInteger failures;

        Failing(int failures) {
            this.failures = new AtomicInteger(failures);
        }

        @Override
        public void init() throws ServletException {
            if (failures.getAndDecrement() > 0) {
                throw new ServletException("not yet");
            }
            super.init();
        }
    }

    /** Counts who is in it. */
    @SuppressWarnings("deprecation") // what is deprecated is still promised
    private static final class OneAtATime extends HttpServlet implements javax.servlet.SingleThreadModel {

        private static final long serialVersionUID = 1L;

        private final AtomicInteger inside = new AtomicInteger();

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            int together = inside.incrementAndGet();
            response.getWriter().print(together);
            inside.decrementAndGet();
        }
    }

    @Test
    void loadsServletsInTheirOrder() throws Exception {
        try (Deployed app = Deployed.on(
                carrier,
                WebApplication.builder("")
                        .servlet("last", new Telling(), registration -> registration.setLoadOnStartup(7))
                        .servlet("never", new Telling(), "/never")
                        .servlet("first", new Telling(), registration -> registration.setLoadOnStartup(0)))) {
            assertEquals(List.of("init first", "init last"), List.copyOf(events));
            assertEquals(404, app.get("/").statusCode());
        }
        assertTrue(events.containsAll(List.of("destroy first", "destroy last")));
    }

    /** A request counts for the servlet that it was mapped to, whatever that forwards to. */
    @Test
    void countsItsRequests() throws Exception {
        WebApplication application = WebApplication.builder("")
                .servlet("other", new Telling(), "/other")
                .servlet(
                        "front",
                        Serving.with((request, response) -> request.getRequestDispatcher(
                                        String.valueOf(request.getQueryString()))
                                .forward(request, response)),
                        "/front")
                .servlet(
                        "failing",
                        Serving.with((request, response) -> {
                            throw new IllegalStateException("on purpose");
                        }),
                        "/failing")
                .build();
        try (Deployed app = Deployed.on(carrier, application)) {
            app.get("/front?/other");
            app.get("/front?/failing");
            app.get("/other");
            app.get("/failing");
            app.get("/none");
            Deadline.await(
                    "the counts",
                    () -> counts(application)
                            .equals(Map.of("default", "1, 1", "failing", "1, 1", "front", "2, 1", "other", "1, 0")));
            ServletState front = application.servletStates().stream()
                    .filter(each -> each.name().equals("front"))
                    .findFirst()
                    .orElseThrow();
            assertTrue(
                    front.longest().compareTo(Duration.ZERO) > 0 && front.time().compareTo(front.longest()) > 0);
            assertTrue(front.load().compareTo(Duration.ZERO) > 0);
        }
        assertEquals(List.of(), application.servletStates());
    }

    private static Map<String, String> counts(WebApplication application) {
        return application.servletStates().stream()
                .filter(each -> each.requests() > 0)
                .collect(Collectors.toMap(ServletState::name, each -> each.requests() + ", " + each.errors()));
    }

    @Test
    void startsWithoutTheServletThatFailsAndTriesItAgain() throws Exception {
        try (Deployed app = Deployed.on(
                carrier,
                WebApplication.builder("")
                        .servlet("failing", new Failing(2), registration -> {
                            registration.addMapping("/failing");
                            registration.setLoadOnStartup(1);
                        })
                        .servlet("other", new Telling(), "/other"))) {
            assertEquals("served", app.body("/other"));
            assertEquals(500, app.get("/failing").statusCode());
            assertEquals("served", app.body("/failing"));
        }
    }

    @Test
    void takesAServletPermanentlyOutOfService() throws Exception {
        try (Deployed app = Deployed.on(
                carrier,
                WebApplication.builder("")
                        .servlet(
                                "gone",
                                new Telling() {
                                    private static final long serialVersionUID = 1L;

                                    @Override
                                    protected void doGet(HttpServletRequest request, HttpServletResponse response)
                                            throws ServletException {
                                        throw new UnavailableException("for good");
                                    }
                                },
                                "/gone"))) {
            assertEquals(404, app.get("/gone").statusCode());
            assertEquals(List.of("init gone", "destroy gone"), List.copyOf(events));
            assertEquals(404, app.get("/gone").statusCode());
        }
        assertEquals(List.of("init gone", "destroy gone"), List.copyOf(events));
    }

    @Test
    void letsOneRequestAtATimeIntoASingleThreadModelServlet() throws Exception {
        try (Deployed app = Deployed.on(carrier, WebApplication.builder("").servlet("one", new OneAtATime(), "/"))) {
            List<CompletableFuture<String>> answers = java.util.stream.IntStream.range(0, 20)
                    .mapToObj(i -> CompletableFuture.supplyAsync(() -> {
                        try {
                            return app.body("/");
                        } catch (Exception e) {
                            throw new IllegalStateException(e);
                        }
                    }))
                    .toList();
            for (CompletableFuture<String> answer : answers) {
                assertEquals("1", answer.join());
            }
        }
    }

    @Test
    void notifiesTheOtherListenersIfOneFails() throws Exception {
        for (String name : List.of("first", "second")) {
            events.clear();
            try (Deployed app = Deployed.on(
                    carrier,
                    WebApplication.builder("")
                            .servlet("telling", new Telling(), "/")
                            .listener(new Ending("first", name))
                            .listener(new Ending("second", name)))) {
                assertEquals("served", app.body("/"));
            }
            assertTrue(events.containsAll(List.of("end first", "end second")), events::toString);
        }
    }

    /** A listener of requests' ends, of which one fails. */
    private final class Ending implements ServletRequestListener {

        private final String name;
        private final String failing;

        Ending(String name, String failing) {
            this.name = name;
            this.failing = failing;
        }

        @Override
        public void requestDestroyed(ServletRequestEvent event) {
            events.add("end " + name);
            if (name.equals(failing)) {
                if (name.equals("first")) {
                    throw new IllegalStateException(name);
                }
                throw new NoClassDefFoundError(name);
            }
        }
    }
}

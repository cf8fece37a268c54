package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.Deadline;
import io.millrace.testkit.RawClient;
import java.io.File;
import java.io.IOException;
import java.net.SocketException;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import javax.servlet.FilterChain;
import javax.servlet.FilterConfig;
import javax.servlet.ServletConfig;
import javax.servlet.ServletContext;
import javax.servlet.ServletContextAttributeEvent;
import javax.servlet.ServletContextAttributeListener;
import javax.servlet.ServletContextEvent;
import javax.servlet.ServletContextListener;
import javax.servlet.ServletException;
import javax.servlet.http.HttpFilter;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.Test;

@OnDefaultCarriers
class LifeTest {

    private final Carrier carrier;

    private final Queue<String> events = new ConcurrentLinkedQueue<>();

    LifeTest(Carrier carrier) {
        this.carrier = carrier;
    }

    /** Says when it is made and destroyed. */
    private final class Telling extends HttpServlet {

        private static final long serialVersionUID = 1L;

        private final String name;

        Telling(String name) {
            this.name = name;
        }

        @Override
        public void init(ServletConfig config) throws ServletException {
            events.add("init " + name);
            if (name.equals("broken")) {
                throw new ServletException("broken");
            }
            super.init(config);
        }

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws java.io.IOException {
            response.getWriter().print(name);
        }

        @Override
        public void destroy() {
            events.add("destroy " + name);
        }
    }

    private final class TellingFilter extends HttpFilter {

        private static final long serialVersionUID = 1L;

        @Override
        public void init(FilterConfig config) throws ServletException {
            super.init(config);
            events.add("init filter");
        }

        @Override
        protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                throws java.io.IOException, ServletException {
            chain.doFilter(request, response);
        }

        @Override
        public void destroy() {
            events.add("destroy filter");
        }
    }

    private final class TellingListener implements ServletContextListener {

        private final String name;

        TellingListener(String name) {
            this.name = name;
        }

        @Override
        public void contextInitialized(ServletContextEvent event) {
            events.add("listener " + name);
        }

        @Override
        public void contextDestroyed(ServletContextEvent event) {
            events.add("destroyed " + name);
        }
    }

    @Test
    void startsAndStopsInOrder() throws Exception {
        try (Deployed app = Deployed.on(
                carrier,
                WebApplication.builder("")
                        .servlet("late", new Telling("late"), s -> s.addMapping("/late"))
                        .servlet("second", new Telling("second"), s -> s.setLoadOnStartup(2))
                        .servlet("broken", new Telling("broken"), s -> {
                            s.addMapping("/broken");
                            s.setLoadOnStartup(1);
                        })
                        .servlet("first", new Telling("first"), s -> s.setLoadOnStartup(0))
                        .filter("filter", new TellingFilter(), "/*")
                        .listener(new TellingListener("a"))
                        .listener(new TellingListener("b")))) {
            assertEquals(
                    List.of("listener a", "listener b", "init filter", "init first", "init broken", "init second"),
                    List.copyOf(events));
            events.clear();
            assertEquals("late", app.body("/late"));
            assertEquals(500, app.get("/broken").statusCode());
            assertEquals(List.of("init late", "init broken"), List.copyOf(events));
            events.clear();
        }
        assertEquals(
                Set.of(
                        "destroy late",
                        "destroy first",
                        "destroy second",
                        "destroy filter",
                        "destroyed b",
                        "destroyed a"),
                Set.copyOf(events));
        assertEquals(
                List.of("destroy filter", "destroyed b", "destroyed a"),
                List.copyOf(events).subList(3, 6));
    }

    @Test
    void isConfiguredWhileItStartsAndNotLater() throws Exception {
        WebApplication application = WebApplication.builder("/x")
                .initParameter("p", "v")
                .servlet("s", Serving.with((request, response) -> {}), "/s")
                .build();
        try (Deployed app = Deployed.on(carrier, application)) {
            ServletContext context = application.servletContext();
            assertEquals("v", context.getInitParameter("p"));
            assertEquals("/x", context.getContextPath());
            assertEquals(4, context.getMajorVersion());
            assertEquals(3, context.getEffectiveMajorVersion());
            assertEquals(1, context.getEffectiveMinorVersion());
            assertTrue(context.getAttribute(ServletContext.TEMPDIR) instanceof File);
            assertThrows(IllegalStateException.class, () -> context.addServlet("t", HttpServlet.class));
            assertThrows(IllegalStateException.class, () -> context.addFilter("f", HttpFilter.class));
            assertThrows(IllegalStateException.class, () -> context.setInitParameter("q", "w"));
            assertThrows(
                    IllegalStateException.class,
                    () -> context.getServletRegistration("s").addMapping("/t"));
            assertNotNull(context.getNamedDispatcher("s"));
            assertNull(context.getNamedDispatcher("none"));
            assertNull(context.getRequestDispatcher("/../outside"));
            assertNull(context.getContext("/other"));
            assertTrue(app.port() > 0);
        }
    }

    @Test
    void startsThoughAListenerOfItsAttributesFails() throws Exception {
        class Failing implements ServletContextAttributeListener {

            @Override
            public void attributeAdded(ServletContextAttributeEvent event) {
                throw new IllegalStateException(event.getName());
            }

            @Override
            public void attributeReplaced(ServletContextAttributeEvent event) {
                throw new IllegalStateException(event.getName());
            }

            @Override
            public void attributeRemoved(ServletContextAttributeEvent event) {
                events.add("removed " + event.getName());
            }
        }
        try (Deployed app = Deployed.on(
                carrier,
                WebApplication.builder("")
                        .listener(new Failing())
                        .configure(context -> {
                            context.setAttribute("a", 1);
                            context.setAttribute("a", 2);
                            context.removeAttribute("a");
                        })
                        .servlet("served", new Telling("served"), s -> s.addMapping("/served")))) {
            assertEquals("served", app.body("/served"));
            assertTrue(events.contains("removed a"));
        }
    }

    @Test
    void returnsThePatternsOfOtherServlets() throws Exception {
        try (Deployed app = Deployed.on(carrier, WebApplication.builder("").configure(context -> {
            var first = context.addServlet("first", new Telling("first"));
            assertEquals(Set.of(), first.addMapping("/a", "/"));
            assertNull(context.addServlet("first", new Telling("again")));
            var second = context.addServlet("second", new Telling("second"));
            assertEquals(Set.of("/a", "/"), second.addMapping("/a", "/b", "/"));
            assertEquals(Set.of(), second.addMapping("/c"));
            assertThrows(IllegalArgumentException.class, () -> second.addMapping("no-slash"));
            assertTrue(first.setInitParameter("p", "1"));
            assertEquals(Set.of("p"), first.setInitParameters(java.util.Map.of("p", "2", "q", "3")));
            assertNull(first.getInitParameter("q"));
        }))) {
            assertEquals("first", app.body("/b"));
            assertEquals("second", app.body("/c"));
        }
    }

    private static String textToEndOrReset(RawClient client) throws IOException {
        try {
            return client.readTextToEnd();
        } catch (SocketException reset) {
            return "";
        }
    }

    /** While another connection waits for a request, which its thread has to close then. */
    @Test
    void endsTheServerWhereAServletStopsIt() throws Exception {
        CountDownLatch stopped = new CountDownLatch(1);
        AtomicReference<Deployed> self = new AtomicReference<>();
        Deployed app = Deployed.on(
                carrier,
                WebApplication.builder("")
                        .servlet("hello", Serving.with((request, response) -> {}), "/hello")
                        .servlet(
                                "stop",
                                Serving.with((request, response) -> {
                                    Objects.requireNonNull(self.get()).cut();
                                    stopped.countDown();
                                }),
                                "/stop"));
        self.set(app);
        try (RawClient idle = RawClient.connect(app.port());
                RawClient stopping = RawClient.connect(app.port())) {
            idle.send("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n").readUntil("\r\n\r\n");
            stopping.send("GET /stop HTTP/1.1\r\nHost: a\r\n\r\n");
            Deadline.await(stopped);
            assertEquals("", textToEndOrReset(idle));
        } finally {
            app.close();
        }
    }
}

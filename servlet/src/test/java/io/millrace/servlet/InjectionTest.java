package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.servlet.model.InjectionTargetModel;
import io.millrace.servlet.model.LifecycleMethodModel;
import io.millrace.servlet.model.NamingEntryModel;
import io.millrace.servlet.model.NamingEntryModel.Kind;
import java.io.IOException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.annotation.PostConstruct;
import javax.annotation.PreDestroy;
import javax.annotation.Resource;
import javax.annotation.Resources;
import javax.servlet.FilterChain;
import javax.servlet.Servlet;
import javax.servlet.ServletContextEvent;
import javax.servlet.ServletContextListener;
import javax.servlet.ServletException;
import javax.servlet.http.HttpFilter;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Injection … */
@OnDefaultCarriers
class InjectionTest {

    private static final Queue<String> EVENTS = new ConcurrentLinkedQueue<>();

    private final Carrier carrier;

    InjectionTest(Carrier carrier) {
        this.carrier = carrier;
    }

    @BeforeEach
    void forget() {
        EVENTS.clear();
    }

    /** What the classes above ask for. */
    static class Above extends HttpServlet {

        private static final long serialVersionUID = 1L;

        @Resource
        private @Nullable String title;

        protected int limit;

        @Resource(name = "limit")
        protected void setLimit(int value) {
            limit = value;
        }

        @PostConstruct
        private void begin() {
            EVENTS.add("above " + title);
        }

        @PreDestroy
        private void end() {
            EVENTS.add("above ends");
        }

        String title() {
            return String.valueOf(title);
        }
    }

    /** Asks for something itself, and says when it is called. */
    static final class Shop extends Above {

        private static final long serialVersionUID = 1L;

        @Resource(lookup = "java:comp/env/limit")
        private long total;

        @Resource
        private int tries = 3;

        @PostConstruct
        private void begin() {
            EVENTS.add("shop " + total);
        }

        @Override
        public void init() {
            EVENTS.add("init");
        }

        @Override
        public void destroy() {
            EVENTS.add("destroy");
        }

        @PreDestroy
        private void end() {
            EVENTS.add("shop ends");
        }

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getWriter().print(title() + ' ' + limit + ' ' + total + ' ' + tries);
        }
    }

    /** Adds a header. */
    static final class Stamp extends HttpFilter {

        private static final long serialVersionUID = 1L;

        @Resource(name = "stamp")
        private @Nullable String stamp;

        @Override
        protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            response.setHeader("Stamp", stamp);
            chain.doFilter(request, response);
        }
    }

    /** Says when the application begins. */
    static final class Beginning implements ServletContextListener {

        @Resource(name = "stamp")
        private @Nullable String stamp;

        @Override
        public void contextInitialized(ServletContextEvent event) {
            EVENTS.add("listener " + stamp);
        }

        @Override
        public void contextDestroyed(ServletContextEvent event) {
            EVENTS.add("listener told");
        }

        @PreDestroy
        void end() {
            EVENTS.add("listener ends");
        }
    }

    /** Asks for names that nobody gives. */
    static final class Lacking extends HttpServlet {

        private static final long serialVersionUID = 1L;

        @Resource(name = "jdbc/shop")
        private javax.sql.@Nullable DataSource orders;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getWriter().print(orders);
        }
    }

    /** Declares names. */
    @Resources(@Resource(name = "colour", type = String.class))
    static final class Declaring extends HttpServlet {

        private static final long serialVersionUID = 1L;
    }

    /** Fails before init. */
    static final class Failing extends HttpServlet {

        private static final long serialVersionUID = 1L;

        @PostConstruct
        @SuppressWarnings("DoNotCallSuggester") // the container calls it
        void begin() {
            throw new IllegalStateException("on purpose");
        }

        @Override
        public void init() {
            EVENTS.add("init");
        }
    }

    /** Asks for nothing by itself. */
    static final class Plain extends HttpServlet {

        private static final long serialVersionUID = 1L;

        private int field = 1;

        private @Nullable String text;

        private int kept = 5;

        public void setText(String value) {
            text = "set " + value;
        }

        void begin() {
            field++;
        }

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getWriter().print(field + " " + text + " " + kept);
        }
    }

    private static WebApplicationBuilder with(Class<? extends Servlet> type) {
        return WebApplication.builder("").servlet("it", type, "/it");
    }

    private static WebApplication given(WebApplicationBuilder builder) {
        return builder.build()
                .resource(Above.class.getName() + "/title", true, loader -> "Books")
                .resource("limit", true, loader -> 7)
                .resource("stamp", true, loader -> "red");
    }

    @Test
    void reachesFieldsAndSettersOfServletsAndSuperclasses() throws Exception {
        try (Deployed app = Deployed.on(carrier, given(with(Shop.class)))) {
            assertEquals("Books 7 7 3", app.body("/it"));
            assertEquals("Books 7 7 3", app.body("/it"));
        }
        assertEquals(
                List.of("above Books", "shop 7", "init", "destroy", "above ends", "shop ends"), List.copyOf(EVENTS));
    }

    @Test
    void reachesFiltersAndListeners() throws Exception {
        WebApplicationBuilder builder =
                with(Plain.class).filter("stamp", Stamp.class, "/*").listener(Beginning.class);
        try (Deployed app = Deployed.on(carrier, given(builder))) {
            assertEquals("red", app.get("/it").headers().firstValue("Stamp").orElse(""));
        }
        assertEquals(List.of("listener red", "listener told", "listener ends"), List.copyOf(EVENTS));
    }

    @Test
    void reachesWhatTheContextMakes() throws Exception {
        WebApplicationBuilder builder = WebApplication.builder("").configure(context -> {
            try {
                context.addServlet("it", context.createServlet(Shop.class)).addMapping("/it");
            } catch (ServletException e) {
                throw new IllegalStateException(e);
            }
        });
        try (Deployed app = Deployed.on(carrier, given(builder))) {
            assertEquals("Books 7 7 3", app.body("/it"));
        }
        assertEquals(
                List.of("above Books", "shop 7", "init", "destroy", "above ends", "shop ends"), List.copyOf(EVENTS));
    }

    @Test
    void namesWhatIsMissingAndTheLineToAdd() throws Exception {
        assertMissing(
                Lacking.class,
                "field orders of class " + Lacking.class.getName(),
                "java:comp/env/jdbc/shop",
                "<Resource name=\"jdbc/shop\" type=\"javax.sql.DataSource\"");
        assertMissing(
                Declaring.class,
                Declaring.class.getName(),
                "java:comp/env/colour",
                "<Environment name=\"colour\" type=\"java.lang.String\"");
        assertMissing(
                Shop.class,
                "field title of class " + Above.class.getName(),
                "<env-entry-name>" + Above.class.getName() + "/title<");
        try (Deployed app = Deployed.on(carrier, with(Lacking.class))) {
            assertEquals(500, app.get("/it").statusCode());
        }
    }

    private void assertMissing(Class<? extends Servlet> type, String... parts) throws Exception {
        WebApplication application = WebApplication.builder("").build();
        try (Deployed running = Deployed.on(carrier, application)) {
            assertEquals(404, running.get("/").statusCode());
            ServletException failure = assertThrows(
                    ServletException.class, () -> application.servletContext().createServlet(type));
            for (String part : parts) {
                assertTrue(String.valueOf(failure.getMessage()).contains(part), failure.getMessage());
            }
        }
    }

    @Test
    void saysWhatHasTheWrongType() throws Exception {
        WebApplication application =
                with(Lacking.class).build().resource("jdbc/shop", true, loader -> "no data source");
        try (Deployed app = Deployed.on(carrier, application)) {
            assertEquals(500, app.get("/it").statusCode());
            ServletException failure = assertThrows(
                    ServletException.class, () -> application.servletContext().createServlet(Lacking.class));
            assertTrue(String.valueOf(failure.getMessage()).contains("javax.sql.DataSource"), failure.getMessage());
        }
    }

    @Test
    void makesAServletUnavailableIfItsPostConstructFails() throws Exception {
        try (Deployed app = Deployed.on(carrier, with(Failing.class))) {
            assertEquals(500, app.get("/it").statusCode());
        }
        assertEquals(List.of(), List.copyOf(EVENTS));
    }

    @Test
    void followsTheDescriptorAlsoWhereThatIsComplete() throws Exception {
        WebApplicationBuilder builder = with(Plain.class).model(model -> {
            model.metadataComplete = true;
            model.namingEntries.add(entry("java.lang.Integer", "41", "field"));
            model.namingEntries.add(entry(null, "x", "text"));
            model.namingEntries.add(entry("java.lang.Integer", null, "kept"));
            model.postConstructMethods.add(new LifecycleMethodModel(Plain.class.getName(), "begin"));
        });
        try (Deployed app = Deployed.on(carrier, builder)) {
            assertEquals("42 set x 5", app.body("/it"));
        }
    }

    private static NamingEntryModel entry(@Nullable String type, @Nullable String value, String member) {
        return new NamingEntryModel(
                Kind.ENV_ENTRY,
                "of/" + member,
                type,
                value,
                null,
                List.of(new InjectionTargetModel(Plain.class.getName(), member)));
    }

    @Test
    void keepsTheTargetOfAnEntryWhoseValueTheOperatorGives() throws Exception {
        WebApplication application = with(Plain.class)
                .model(model -> model.namingEntries.add(entry("java.lang.Integer", "41", "field")))
                .build()
                .resource("of/field", false, loader -> 9);
        try (Deployed app = Deployed.on(carrier, application)) {
            assertEquals("9 null 5", app.body("/it"));
        }
    }

    @Test
    void isOffWhereMetadataAreComplete() throws Exception {
        try (Deployed app =
                Deployed.on(carrier, given(with(Shop.class).model(model -> model.metadataComplete = true)))) {
            assertEquals("null 0 0 3", app.body("/it"));
        }
        assertEquals(List.of("init", "destroy"), List.copyOf(EVENTS));
    }
}

package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.servlet.settings.ContextOptions;
import io.millrace.testkit.Deadline;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.servlet.ServletContext;
import javax.servlet.ServletRequestEvent;
import javax.servlet.ServletRequestListener;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A request passed on to another application of the host. */
class CrossContextTest {

    private static final Queue<String> TOLD = new ConcurrentLinkedQueue<>();
    private static final ClassLoader SHOP_LOADER =
            new URLClassLoader("shop", new URL[0], CrossContextTest.class.getClassLoader());

    private static Deployed apps;

    @BeforeAll
    static void deploy() throws Exception {
        apps = Deployed.on(
                Carrier.byDefault(),
                portal(true),
                shop(),
                closed(),
                WebApplication.builder("")
                        .servlet("who", Serving.with(CrossContextTest::tellContext), "/who")
                        .build());
    }

    private static WebApplication portal(boolean crossContext) {
        return WebApplication.builder(crossContext ? "/portal" : "/closed")
                .listener(new Listening("portal"))
                .servlet("forward", Serving.with((request, response) -> pass(request, response, true)), "/forward/*")
                .servlet("include", Serving.with((request, response) -> pass(request, response, false)), "/include/*")
                .servlet("count", Serving.with(CrossContextTest::count), "/count")
                .servlet("async", Serving.with(CrossContextTest::dispatch), registration -> {
                    registration.addMapping("/async");
                    registration.setAsyncSupported(true);
                })
                .servlet("who", Serving.with(CrossContextTest::tellContext), "/who")
                .build()
                .with(ContextOptions.CROSS_CONTEXT, crossContext);
    }

    private static WebApplication closed() {
        return portal(false);
    }

    private static WebApplication shop() {
        return WebApplication.builder("/shop")
                .listener(new Listening("shop"))
                .servlet("goods", Serving.with(CrossContextTest::describe), "/goods/*")
                .servlet("count", Serving.with(CrossContextTest::count), "/count")
                .servlet("rename", Serving.with(CrossContextTest::rename), "/rename")
                .build()
                .classLoader(SHOP_LOADER);
    }

    @AfterAll
    static void undeploy() {
        apps.close();
    }

    /** What the test before was told; the last of it, maybe, when its client had its answer already. */
    @BeforeEach
    void forget() {
        Deadline.await("the end of all requests", () -> told("+") == told("-"));
        TOLD.clear();
    }

    private static long told(String prefix) {
        return TOLD.stream().filter(each -> each.startsWith(prefix)).count();
    }

    private record Listening(String name) implements ServletRequestListener {

        @Override
        public void requestInitialized(ServletRequestEvent event) {
            TOLD.add("+" + name + event.getServletContext().getContextPath());
        }

        @Override
        public void requestDestroyed(ServletRequestEvent event) {
            TOLD.add("-" + name + event.getServletContext().getContextPath());
        }
    }

    private static void tellContext(HttpServletRequest request, HttpServletResponse response) throws IOException {
        ServletContext found = request.getServletContext().getContext(request.getParameter("path"));
        response.getWriter().print(found == null ? "none" : "at " + found.getContextPath());
    }

    private static void pass(HttpServletRequest request, HttpServletResponse response, boolean forward)
            throws Exception {
        var dispatcher =
                request.getServletContext().getContext("/shop").getRequestDispatcher(request.getParameter("to"));
        if (forward) {
            dispatcher.forward(request, response);
        } else {
            dispatcher.include(request, response);
        }
        TOLD.add(request.getContextPath()
                + Thread.currentThread().getContextClassLoader().equals(SHOP_LOADER));
    }

    private static void describe(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.getWriter()
                .print(String.join(
                        " ",
                        request.getContextPath(),
                        request.getServletPath(),
                        request.getPathInfo(),
                        request.getServletContext().getContextPath(),
                        "p=" + request.getParameter("p"),
                        "from " + request.getAttribute("javax.servlet.forward.context_path"),
                        "in " + request.getAttribute("javax.servlet.include.context_path"),
                        "own loader "
                                + Thread.currentThread().getContextClassLoader().equals(SHOP_LOADER)));
    }

    private static void count(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Integer before = (Integer) request.getSession().getAttribute("n");
        request.getSession().setAttribute("n", before == null ? 1 : before + 1);
        response.getWriter()
                .print(request.getSession().getServletContext().getContextPath() + " " + before + " "
                        + request.getSession().getAttribute("other"));
        request.getSession().setAttribute("other", request.getServletContext().getContextPath());
    }

    private static void rename(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.getWriter()
                .print(request.changeSessionId().equals(request.getSession().getId()));
    }

    private static void dispatch(HttpServletRequest request, HttpServletResponse response) {
        request.startAsync().dispatch(request.getServletContext().getContext("/shop"), "/goods/a");
    }

    private static String get(String path) throws IOException, InterruptedException {
        return apps.body(path);
    }

    @Test
    void findsTheContextOfAPathAsItsHostDoes() throws Exception {
        assertEquals("at /shop", get("/portal/who?path=/shop/goods/a"));
        assertEquals("at /portal", get("/portal/who?path=/portal"));
        assertEquals("at ", get("/portal/who?path=/shopping"));
        assertEquals("none", get("/portal/who?path=shop"));
    }

    @Test
    void seesNoOtherContextUnlessItIsAllowedTo() throws Exception {
        assertEquals("none", get("/closed/who?path=/shop"));
        assertEquals("none", get("/who?path=/shop"));
        assertEquals("at ", get("/who?path=/nowhere"));
        assertEquals("at /closed", get("/closed/who?path=/closed/x"));
    }

    @Test
    void forwardsWithTheOthersPathsContextAndLoader() throws Exception {
        assertEquals(
                "/shop /goods /a /shop p=2 from /portal in null own loader true",
                get("/portal/forward/x?to=/goods/a%3Fp=2&p=1"));
        assertEquals(List.of("+portal/portal", "+shop/shop", "-shop/shop", "/portalfalse", "-portal/portal"), told());
    }

    @Test
    void includesWithTheOthersContextAndLoaderAndItsOwnPaths() throws Exception {
        assertEquals(
                "/portal /include /x /shop p=2 from null in /shop own loader true",
                get("/portal/include/x?to=/goods/a%3Fp=2&p=1"));
    }

    @Test
    void dispatchesAsynchronously() throws Exception {
        assertEquals("/shop /goods /a /shop p=null from null in null own loader true", get("/portal/async"));
    }

    @Test
    void givesAClientItsSessionInTheOtherApplicationByTheOneItHas() throws Exception {
        var first = apps.get("/portal/forward?to=/count");
        assertEquals("/shop null null", first.body());
        List<String> cookies = first.headers().allValues("Set-Cookie");
        assertEquals(1, cookies.size());
        assertEquals("/portal", cookies.get(0).replaceAll(".*Path=([^;]*).*", "$1"));
        String pair = cookies.get(0).replaceAll(";.*", "");

        assertEquals("/shop 1 /shop", with(pair, "/portal/forward?to=/count"));
        assertEquals("/portal null null", with(pair, "/portal/count"));
        assertEquals("/shop 2 /shop", with(pair, "/portal/include?to=/count"));
    }

    @Test
    void keepsTheSessionInTheOtherApplicationWhenItsIdChangesThere() throws Exception {
        String pair = sessionCookie("/portal/forward?to=/count");
        var renamed = apps.send(apps.request("/portal/forward?to=/rename").header("Cookie", pair));
        assertEquals("true", renamed.body());
        String next = renamed.headers().firstValue("Set-Cookie").orElseThrow().replaceAll(";.*", "");
        assertEquals("/shop 1 /shop", with(next, "/portal/forward?to=/count"));
    }

    private static String sessionCookie(String path) throws IOException, InterruptedException {
        return apps.get(path).headers().firstValue("Set-Cookie").orElseThrow().replaceAll(";.*", "");
    }

    private static String with(String cookie, String path) throws IOException, InterruptedException {
        return apps.send(apps.request(path).header("Cookie", cookie)).body();
    }

    /** The client has its answer before the portal's listener hears of the end. */
    private static List<String> told() {
        Deadline.await("the end of the request", () -> TOLD.contains("-portal/portal"));
        return List.copyOf(TOLD);
    }
}

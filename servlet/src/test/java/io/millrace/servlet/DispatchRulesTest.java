package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import javax.servlet.AsyncContext;
import javax.servlet.DispatcherType;
import javax.servlet.Filter;
import javax.servlet.RequestDispatcher;
import javax.servlet.ServletContext;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletRequestWrapper;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletRequestWrapper;
import javax.servlet.http.HttpServletResponse;
import javax.servlet.http.HttpServletResponseWrapper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@OnDefaultCarriers
class DispatchRulesTest {

    private final Deployed app;

    /** A request of somebody else's making, though it is no wrapper by type. */
    private static final class Marked extends HttpServletRequestWrapper {
        Marked(HttpServletRequest request) {
            super(request);
        }
    }

    /** Throws what its path says. */
    private static final class Throwing extends HttpServlet {

        private static final long serialVersionUID = 1L;

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response)
                throws ServletException, IOException {
            switch (request.getPathInfo()) {
                case "/ServletException" -> throw new ServletException("thrown");
                case "/IOException" -> throw new IOException("thrown");
                default -> throw new IllegalArgumentException("thrown");
            }
        }
    }

    DispatchRulesTest(Carrier carrier) throws Exception {
        app = Deployed.on(
                carrier,
                WebApplication.builder("/c")
                        .filter("trace", trace(), registration -> {
                            for (DispatcherType type : DispatcherType.values()) {
                                registration.addMappingForUrlPatterns(EnumSet.of(type), true, "/*");
                            }
                        })
                        .servlet("throwing", new Throwing(), "/throw/*")
                        .servlet("caller", Serving.with(DispatchRulesTest::call), "/call/*")
                        .servlet("target", Serving.with(DispatchRulesTest::target), "/target")
                        .servlet("wrap", Serving.with(DispatchRulesTest::wrap), "/wrap")
                        .servlet("async", Serving.with(DispatchRulesTest::async), "/async")
                        .servlet("wrapped", Serving.with(DispatchRulesTest::wrappedContext), "/wrapped")
                        .servlet("foreign", Serving.with(DispatchRulesTest::foreignContext), "/foreign")
                        .servlet("fail", Serving.with((request, response) -> response.sendError(410)), "/fail")
                        .servlet("context", Serving.with(DispatchRulesTest::context), "/context")
                        .errorPage(410, "/target"));
    }

    @AfterEach
    void undeploy() {
        app.close();
    }

    private static Filter trace() {
        return (request, response, chain) -> {
            Object before = request.getAttribute("trace");
            request.setAttribute("trace", Objects.toString(before, "") + request.getDispatcherType() + " ");
            chain.doFilter(request, response);
        };
    }

    private static void target(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.getWriter().print(request.getAttribute("trace"));
        if (request instanceof ServletRequestWrapper wrapper) {
            response.getWriter().print(wrapper.isWrapperFor(Marked.class) ? "marked" : "wrapped");
        }
    }

    private static void call(HttpServletRequest request, HttpServletResponse response) throws Exception {
        try {
            request.getRequestDispatcher("/throw" + request.getPathInfo()).include(request, response);
        } catch (ServletException | IOException | RuntimeException e) {
            response.getWriter().print(e.getClass().getSimpleName() + " " + e.getMessage());
        }
    }

    private static void wrap(HttpServletRequest request, HttpServletResponse response) throws Exception {
        var to = new HttpServletResponseWrapper(new HttpServletResponseWrapper(response));
        request.getRequestDispatcher("/target").forward(new HttpServletRequestWrapper(new Marked(request)), to);
    }

    private static void async(HttpServletRequest request, HttpServletResponse response) {
        AsyncContext async = request.startAsync(
                new HttpServletRequestWrapper(new Marked(request)), new HttpServletResponseWrapper(response));
        async.dispatch(request.getServletContext(), "/target");
    }

    /** By a context of the application's own making, which asks the container's. */
    private static void wrappedContext(HttpServletRequest request, HttpServletResponse response) {
        RequestDispatcher target = Objects.requireNonNull(request.getRequestDispatcher("/target"));
        request.startAsync().dispatch(contextThatLeadsTo(target), "/target");
    }

    /** By a context whose dispatchers are not the container's. */
    private static void foreignContext(HttpServletRequest request, HttpServletResponse response) throws IOException {
        AsyncContext async = request.startAsync();
        RequestDispatcher foreign = (RequestDispatcher) java.lang.reflect.Proxy.newProxyInstance(
                DispatchRulesTest.class.getClassLoader(), new Class<?>[] {RequestDispatcher.class}, (p, m, a) -> null);
        assertThrows(IllegalArgumentException.class, () -> async.dispatch(contextThatLeadsTo(foreign), "/target"));
        response.getWriter().print("refused");
        async.complete();
    }

    private static ServletContext contextThatLeadsTo(RequestDispatcher dispatcher) {
        return (ServletContext) java.lang.reflect.Proxy.newProxyInstance(
                DispatchRulesTest.class.getClassLoader(),
                new Class<?>[] {ServletContext.class},
                (proxy, method, arguments) -> method.getName().equals("getRequestDispatcher") ? dispatcher : "foreign");
    }

    private static void context(HttpServletRequest request, HttpServletResponse response) throws Exception {
        ServletContext context = request.getServletContext();
        ServletRequest foreign = (ServletRequest) java.lang.reflect.Proxy.newProxyInstance(
                DispatchRulesTest.class.getClassLoader(), new Class<?>[] {ServletRequest.class}, (p, m, a) -> null);
        assertThrows(
                IllegalArgumentException.class,
                () -> Objects.requireNonNull(context.getRequestDispatcher("/target"))
                        .include(foreign, response));
        response.getWriter()
                .print(context.getContext("/c/x").equals(context)
                        + " " + context.getContext("/other")
                        + " " + context.getRequestDispatcher("/../x")
                        + " " + context.getNamedDispatcher("nobody")
                        + " " + context.getRealPath("/../x")
                        + " " + request.newPushBuilder()
                        + " " + request.getHttpServletMapping().getPattern());
    }

    @ParameterizedTest
    @ValueSource(strings = {"ServletException", "IOException", "IllegalArgumentException"})
    void passesOnWhatTheTargetThrows(String type) throws Exception {
        assertEquals(type + " thrown", app.body("/c/call/" + type));
    }

    @Test
    void goesThroughWrappers() throws Exception {
        assertEquals("REQUEST FORWARD marked", app.body("/c/wrap"));
    }

    @Test
    void goesThroughTheFiltersOfEachKindOfDispatch() throws Exception {
        assertEquals(
                List.of("REQUEST ASYNC marked", "REQUEST ERROR "), List.of(app.body("/c/async"), app.body("/c/fail")));
    }

    @Test
    void dispatchesByAContextThatTheApplicationHasWrapped() throws Exception {
        assertEquals("REQUEST ASYNC ", app.body("/c/wrapped"));
    }

    @Test
    void refusesAContextOfSomebodyElse() throws Exception {
        assertEquals("refused", app.body("/c/foreign"));
    }

    @Test
    void leadsNowhereOutsideTheApplication() throws Exception {
        assertEquals("true null null null null null /context", app.body("/c/context"));
    }
}

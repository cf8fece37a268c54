package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.servlet.AsyncContext;
import javax.servlet.DispatcherType;
import javax.servlet.RequestDispatcher;
import javax.servlet.ServletRequestEvent;
import javax.servlet.ServletRequestListener;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a request says of itself after AsyncContext.dispatch (Servlet 3.1, 9.7.2), in Tomcat's way. */
@OnDefaultCarriers
class AsyncDispatchTest {

    private final BlockingQueue<String> ended = new LinkedBlockingQueue<>();
    private final Deployed app;

    AsyncDispatchTest(Carrier carrier) throws Exception {
        app = Deployed.on(
                carrier,
                WebApplication.builder("/c")
                        .servlet("back", Serving.with(AsyncDispatchTest::back), "/back")
                        .servlet(
                                "first",
                                Serving.with((request, response) -> dispatch(request, "/second?b=2")),
                                "/first")
                        .servlet("second", Serving.with((request, response) -> dispatch(request, "/last")), "/second")
                        .servlet("last", Serving.with(AsyncDispatchTest::print), "/last")
                        .servlet(
                                "failing",
                                Serving.with((request, response) -> dispatch(request, "/fail?a=2")),
                                "/failing")
                        .servlet("fail", Serving.with((request, response) -> response.sendError(418)), "/fail")
                        .servlet("page", Serving.with(AsyncDispatchTest::page), "/page")
                        .errorPage(418, "/page")
                        .listener(new Destroyed()));
    }

    /** Where requests are when they end. */
    private final class Destroyed implements ServletRequestListener {

        @Override
        public void requestDestroyed(ServletRequestEvent event) {
            ended.add(((HttpServletRequest) event.getServletRequest()).getRequestURI());
        }
    }

    @AfterEach
    void undeploy() {
        app.close();
    }

    private static void dispatch(HttpServletRequest request, String path) {
        request.startAsync().dispatch(path);
    }

    /** To itself: without arguments, with the request and response or as the container has them. */
    private static void back(HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (request.getDispatcherType() == DispatcherType.ASYNC) {
            print(request, response);
        } else if (request.getParameter("given") != null) {
            request.startAsync(request, response).dispatch();
        } else {
            request.startAsync().dispatch();
        }
    }

    private static void page(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.getWriter()
                .print(request.getAttribute(RequestDispatcher.ERROR_REQUEST_URI) + " "
                        + request.getAttribute(RequestDispatcher.ERROR_SERVLET_NAME) + " "
                        + List.of(request.getParameterValues("a")));
    }

    private static void print(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.getWriter()
                .print(List.of(request.getParameterValues("a")) + " " + request.getQueryString() + " "
                        + request.getAttribute(AsyncContext.ASYNC_REQUEST_URI) + " "
                        + request.getAttribute(AsyncContext.ASYNC_QUERY_STRING));
    }

    @Test
    void doesNotDoubleParametersWithoutAPath() throws Exception {
        assertEquals("[1] a=1 /c/back a=1", app.body("/c/back?a=1"));
        assertEquals("[1] a=1&given=1 /c/back a=1&given=1", app.body("/c/back?a=1&given=1"));
    }

    @Test
    void keepsTheOriginalPathsOverLaterDispatches() throws Exception {
        assertEquals("[1] b=2 /c/first a=1", app.body("/c/first?a=1"));
    }

    @Test
    void isOverWhenListenersLearnOfTheEnd() throws Exception {
        app.body("/c/first?a=1");
        assertEquals("/c/first", ended.poll(10, TimeUnit.SECONDS));
    }

    @Test
    void isOverWhenAnErrorPageIsShown() throws Exception {
        assertEquals("/c/failing failing [1]", app.body("/c/failing?a=1"));
    }
}

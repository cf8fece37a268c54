package io.millrace.standalone.probe;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import javax.servlet.AsyncContext;
import javax.servlet.AsyncEvent;
import javax.servlet.AsyncListener;
import javax.servlet.ServletException;
import javax.servlet.http.Cookie;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/** Says what it sees of a request; what else, the path says. */
public class ProbeServlet extends HttpServlet {

    private static final long serialVersionUID = 1;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        response.setContentType("text/plain;charset=UTF-8");
        switch (request.getServletPath()) {
            case "/where" -> where(request, response);
            case "/redirect" -> response.sendRedirect("where?x=1");
            case "/parameter" -> print(response, request.getParameter("name"));
            case "/cookies" -> print(response, names(request.getCookies()));
            case "/async" -> waitForNothing(request.startAsync());
            case "/header" -> response.setHeader("X-Probe", request.getParameter("value"));
            case "/parts" -> print(response, String.valueOf(request.getParts().size()));
            case "/trailers" -> trailers(request, response);
            case "/thread" -> print(response, Thread.currentThread().toString());
            case "/pieces" -> pieces(Integer.parseInt(request.getParameter("count")), response);
            case "/hold" -> hold(Path.of(request.getParameter("until")), response);
            default -> print(response, request.getServletPath());
        }
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        doGet(request, response);
    }

    @Override
    protected void doPut(HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        doGet(request, response);
    }

    private static void trailers(HttpServletRequest request, HttpServletResponse response) throws IOException {
        request.getInputStream().readAllBytes();
        print(response, new TreeMap<>(request.getTrailerFields()).toString());
    }

    private static void where(HttpServletRequest request, HttpServletResponse response) throws IOException {
        print(response, "remote " + request.getRemoteAddr() + " " + request.getRemotePort());
        print(response, "host " + request.getRemoteHost());
        print(response, "scheme " + request.getScheme() + " " + request.isSecure());
        print(response, "server " + request.getServerName() + " " + request.getServerPort());
        print(response, "local " + request.getLocalAddr() + " " + request.getLocalPort());
        print(response, "url " + request.getRequestURL());
        print(response, "cipher " + request.getAttribute("javax.servlet.request.cipher_suite"));
    }

    private static String names(Cookie[] cookies) {
        return cookies == null
                ? "none"
                : Arrays.stream(cookies).map(Cookie::getName).collect(Collectors.joining(","));
    }

    private static void waitForNothing(AsyncContext context) {
        context.addListener(new AsyncListener() {
            @Override
            public void onTimeout(AsyncEvent event) throws IOException {
                print((HttpServletResponse) event.getAsyncContext().getResponse(), "timed out");
                event.getAsyncContext().complete();
            }

            @Override
            public void onComplete(AsyncEvent event) {}

            @Override
            public void onError(AsyncEvent event) {}

            @Override
            public void onStartAsync(AsyncEvent event) {}
        });
    }

    private static void pieces(int count, HttpServletResponse response) throws IOException {
        for (int i = 0; i < count; i++) {
            print(response, "piece");
            response.flushBuffer();
        }
    }

    private static void hold(Path file, HttpServletResponse response) throws IOException {
        while (Files.notExists(file)) {
            LockSupport.parkNanos(2_000_000);
        }
        print(response, "held");
    }

    private static void print(HttpServletResponse response, String line) throws IOException {
        response.getWriter().println(line);
    }
}

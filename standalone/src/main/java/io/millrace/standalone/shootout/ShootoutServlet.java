package io.millrace.standalone.shootout;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.servlet.AsyncContext;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/**
 * The servlet of a shoot-out's application: {@code /hello}; {@code /sleep} and {@code /asleep}, which wait for {@code ms} milliseconds as
 * for a slow back end, on the request's thread and without one; {@code /fib} and {@code /afib}, which compute Fibonacci's number {@code n},
 * on the request's thread and on one of the application. Its class is copied into the application, and needs no other one.
 */
public final class ShootoutServlet extends HttpServlet {

    private static final long serialVersionUID = 1;

    private static final String HELLO = "Hello, World!";

    private transient ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private transient ExecutorService workers =
            Executors.newFixedThreadPool(Math.max(2, Runtime.getRuntime().availableProcessors()));

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        switch (request.getServletPath()) {
            case "/sleep" -> {
                sleep(number(request, "ms"));
                answer(response, HELLO);
            }
            case "/asleep" -> {
                AsyncContext async = request.startAsync();
                var unused = timer.schedule(() -> complete(async, HELLO), number(request, "ms"), TimeUnit.MILLISECONDS);
            }
            case "/fib" -> answer(response, Long.toString(fibonacci(number(request, "n"))));
            case "/afib" -> {
                int n = number(request, "n");
                AsyncContext async = request.startAsync();
                workers.execute(() -> complete(async, Long.toString(fibonacci(n))));
            }
            default -> answer(response, HELLO);
        }
    }

    @Override
    public void destroy() {
        timer.shutdownNow();
        workers.shutdownNow();
    }

    private static int number(HttpServletRequest request, String name) {
        return Integer.parseInt(request.getParameter(name));
    }

    private static long fibonacci(int n) {
        return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
    }

    private static void sleep(int millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void complete(AsyncContext async, String text) {
        try {
            answer((HttpServletResponse) async.getResponse(), text);
        } catch (IOException clientWentAway) {
            // completing is all that is left
        } finally {
            async.complete();
        }
    }

    private static void answer(HttpServletResponse response, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.US_ASCII);
        response.setContentType("text/plain");
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }
}

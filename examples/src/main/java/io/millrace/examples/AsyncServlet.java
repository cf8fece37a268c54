package io.millrace.examples;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.servlet.AsyncContext;
import javax.servlet.annotation.WebServlet;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/** Responds after {@code ?ms=}, on a timer; no request thread waits. */
@WebServlet(urlPatterns = "/async", asyncSupported = true)
public class AsyncServlet extends HttpServlet {

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) {
        AsyncContext async = request.startAsync();
        String caller = Thread.currentThread().getName();
        CompletableFuture.delayedExecutor(Parameters.number(request, "ms", 500), TimeUnit.MILLISECONDS)
                .execute(() -> answer(async, caller));
    }

    private void answer(AsyncContext async, String caller) {
        try {
            async.getResponse().setContentType("text/plain;charset=UTF-8");
            async.getResponse()
                    .getWriter()
                    .println("asynchronous: began on " + caller + ", ended on "
                            + Thread.currentThread().getName());
        } catch (IOException e) {
            log("the client closed the connection", e);
        } finally {
            async.complete();
        }
    }
}

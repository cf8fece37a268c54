package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A session is accessed (Servlet 3.1, 7.6) by a request … */
@OnDefaultCarriers
final class SessionAccessTest {

    private final Carrier carrier;

    SessionAccessTest(Carrier carrier) {
        this.carrier = carrier;
    }

    /** Those for files are answered by a worker first and by the thread of the connection from then on. */
    @Test
    void whateverItAsksFor(@TempDir Path docBase) throws Exception {
        Files.writeString(docBase.resolve("file.txt"), "static");
        Serving plain = Serving.with((request, response) -> response.getWriter().print("plain"));
        Serving last = Serving.with((request, response) ->
                response.getWriter().print(request.getSession().getLastAccessedTime()));
        try (Deployed app = Deployed.on(
                carrier,
                WebApplication.builder("/app")
                        .docBase(docBase)
                        .servlet("plain", plain, "/plain")
                        .servlet("last", last, "/last"))) {
            HttpResponse<String> begun = app.get("/app/last");
            String field = begun.headers().firstValue("Set-Cookie").orElseThrow();
            String cookie = field.substring(0, field.indexOf(';'));
            for (String path : new String[] {"/file.txt", "/file.txt", "/file.txt", "/plain", "/nothing", ""}) {
                long before = System.currentTimeMillis();
                while (System.currentTimeMillis() <= before) {
                    Thread.onSpinWait();
                }
                app.send(app.request("/app" + path).header("Cookie", cookie));
                String seen = app.send(app.request("/app/last").header("Cookie", cookie))
                        .body();
                assertTrue(Long.parseLong(seen) > before, path + ": " + seen + " is not after " + before);
            }
        }
    }
}

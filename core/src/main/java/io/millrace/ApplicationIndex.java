package io.millrace;

import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.NonBlockingHandler;
import io.millrace.handler.ErrorDocument;
import io.millrace.handler.Page;
import io.millrace.handler.Responses;
import io.millrace.http.Headers;
import io.millrace.http.Method;
import io.millrace.http.PercentEncoding;
import io.millrace.http.Status;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Responds to requests that belong to no application of a host. A browser that requests the root gets a page that lists
 * the applications, with status 404 so that health checks and search engines are not misled; other requests get a plain
 * 404.
 */
final class ApplicationIndex implements NonBlockingHandler {

    private volatile Map<String, Versions> applications = Map.of();

    /** Sets the deployed applications, by context path. */
    void show(Map<String, Versions> deployed) {
        applications = deployed;
    }

    @Override
    public void handle(HttpExchange exchange) {
        String method = exchange.request().method();
        boolean read = method.equals(Method.GET) || method.equals(Method.HEAD);
        if (read && exchange.request().path().decoded().equals("/") && ErrorDocument.isHtmlAskedFor(exchange)) {
            Headers headers = exchange.response().headers();
            headers.add("Vary", "Accept");
            Page.protect(headers);
            Responses.html(exchange, Status.NOT_FOUND, page());
        } else {
            Responses.error(exchange, Status.NOT_FOUND);
        }
    }

    private String page() {
        Page page = Page.titled("Applications").markup("<h1>Applications</h1>\n");
        Map<String, Versions> sorted = new TreeMap<>(applications);
        if (sorted.isEmpty()) {
            return page.markup("<p>No application is deployed.</p>\n").end();
        }
        page.markup("<p>No application is deployed at the root of this host. Its applications are:</p>\n")
                .markup("<table><thead><tr><th>Path</th><th>Name</th></tr></thead><tbody>\n");
        sorted.forEach((path, versions) -> row(page, path, versions.latest()));
        return page.markup("</tbody></table>\n").end();
    }

    private static void row(Page page, String path, @Nullable Application application) {
        if (application == null) {
            page.markup("<tr><td>").text(path).markup("</td><td class=\"soft\">not running</td></tr>\n");
        } else {
            page.markup("<tr><td><a href=\"")
                    .text(link(path))
                    .markup("\">")
                    .text(path)
                    .markup("</a></td><td>")
                    .text(application.displayName())
                    .markup("</td></tr>\n");
        }
    }

    /** Relative to the root: a path that begins with two slashes must not lead to another server. */
    private static String link(String path) {
        return "." + PercentEncoding.encode(path) + "/";
    }
}

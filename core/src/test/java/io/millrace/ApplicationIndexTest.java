package io.millrace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.NonBlockingHandler;
import io.millrace.handler.Asked;
import io.millrace.handler.MemoryStream;
import io.millrace.handler.Page;
import io.millrace.handler.Responses;
import io.millrace.server.ApplicationGate;
import org.junit.jupiter.api.Test;

/** The index of a host's applications … */
class ApplicationIndexTest {

    private static final NonBlockingHandler NOT_FOUND = exchange -> Responses.error(exchange, 404);

    private final HostContent content = new HostContent("", new ApplicationIndex());

    /** An application with a display name. */
    private record Named(String contextPath, String displayName, String version) implements Application {

        @Override
        public HttpHandler start(ServerContext server) {
            return NOT_FOUND;
        }

        @Override
        public void stop() {}
    }

    private void deploy(String contextPath, String displayName, String version) {
        content.put(new Named(contextPath, displayName, version), new ApplicationGate(NOT_FOUND, ""));
    }

    private MemoryStream get(String path) {
        return Asked.get(path).header("Accept", "text/html").of(content);
    }

    @Test
    void namesTheApplicationsByContextPath() {
        deploy("/shop", "The Shop", "");
        deploy("/a/b", "", "");
        MemoryStream answer = get("/");
        assertEquals(404, answer.status());
        String page = answer.body();
        int shop = page.indexOf("<a href=\"./shop/\">/shop</a></td><td>The Shop</td>");
        int other = page.indexOf("<a href=\"./a/b/\">/a/b</a></td><td></td>");
        assertTrue(other > 0 && other < shop, page);
        assertEquals(Page.SECURITY_POLICY, answer.header("Content-Security-Policy"));
        assertEquals("Accept", answer.header("Vary"));
    }

    @Test
    void escapesPathsAndNames() {
        deploy("/\"><script>alert(1)</script>", "<img src=x onerror=alert(1)>", "");
        String page = get("/").body();
        assertTrue(page.contains("&lt;img src=x onerror=alert(1)&gt;"), page);
        assertFalse(page.contains("<script") || page.contains("<img"), page);
    }

    @Test
    void linksNoOtherServer() {
        deploy("//evil.example", "", "");
        assertTrue(get("/").body().contains("href=\".//evil.example/\""));
    }

    @Test
    void namesTheLatestVersionOnceAndSaysWhatDoesNotRun() {
        deploy("/shop", "One", "1");
        deploy("/shop", "Two", "2");
        content.put(new Named("/broken", "Broken", ""), NOT_FOUND);
        String page = get("/").body();
        assertTrue(page.contains("Two") && !page.contains("One"), page);
        assertTrue(page.contains("/broken</td><td class=\"soft\">not running</td>"), page);
    }

    @Test
    void isThereAtTheRootForBrowsersOnly() {
        deploy("/shop", "The Shop", "");
        assertFalse(get("/elsewhere").body().contains("The Shop"));
        assertFalse(Asked.get("/").of(content).body().contains("The Shop"));
        assertFalse(Asked.with("POST", "/")
                .header("Accept", "text/html")
                .of(content)
                .body()
                .contains("The Shop"));
    }

    @Test
    void saysThatThereIsNone() {
        assertTrue(get("/").body().contains("No application is deployed."));
    }

    @Test
    void givesWayToTheApplicationAtTheRoot() {
        deploy("", "Root", "");
        assertEquals(
                "<title>404 Not Found</title>",
                get("/").body()
                        .lines()
                        .filter(line -> line.contains("<title>"))
                        .findFirst()
                        .orElse(""));
    }
}

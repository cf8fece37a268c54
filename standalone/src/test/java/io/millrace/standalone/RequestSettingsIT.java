package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.Deadline;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What each Connector says of the requests that come by it: the same application, on several ports, … */
@NullUnmarked
final class RequestSettingsIT {

    private static final String CONNECTORS = """
            <Connector port='0' address='127.0.0.1' maxCookieCount='2' redirectPort='8443'/>
            <Connector port='0' address='127.0.0.1' URIEncoding='ISO-8859-1' asyncTimeout='200' enableLookups='true'/>
            <Connector port='0' address='127.0.0.1' useBodyEncodingForURI='true' redirectPort='443'/>
            <Connector port='0' address='127.0.0.1' maxThreads='1' maxQueueSize='1'/>
            """;

    private static final int FIRST = 0;
    private static final int LATIN = 1;
    private static final int BY_BODY = 2;
    private static final int SMALL = 3;

    @TempDir
    private static Path base;

    private static ProbeServer server;

    @BeforeAll
    static void start() throws Exception {
        server = ProbeServer.serving(base, CONNECTORS);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void countsCookies() throws Exception {
        assertEquals(
                "a,b", Curl.run("-b", "a=1; b=2", server.url(FIRST, "/cookies")).strip());
        assertEquals(400, Curl.status("-b", "a=1; b=2; c=3", server.url(FIRST, "/cookies")));
        assertEquals(200, Curl.status("-b", "a=1; b=2; c=3", server.url(LATIN, "/cookies")));
    }

    @Test
    void decodesQueriesAndPathsByUriEncoding() throws Exception {
        assertEquals("\u00e9", get(FIRST, "/parameter?name=%C3%A9"));
        assertEquals("\u00c3\u00a9", get(LATIN, "/parameter?name=%C3%A9"));
        assertEquals("/\u00e9", get(LATIN, "/%E9"));
        assertEquals(400, Curl.status(server.url(FIRST, "/%E9")));
    }

    @Test
    void decodesQueriesByTheBodysEncodingIfToldTo() throws Exception {
        String url = server.url(BY_BODY, "/parameter?name=%C3%A9");
        String form = "Content-Type: application/x-www-form-urlencoded;charset=UTF-8";
        assertEquals("\u00e9", Curl.run("-H", form, "-d", "x=y", url).strip());
        assertEquals("\u00c3\u00a9", Curl.run(url).strip());
    }

    @Test
    void endsAsynchronousRequestsThatSayNothingOfTime() throws Exception {
        assertEquals("timed out", get(LATIN, "/async"));
    }

    @Test
    void sendsThoseWhoNeedTlsToRedirectPort() throws Exception {
        String first = Curl.run("-i", server.url(FIRST, "/secret/a?b=c"));
        assertTrue(first.contains("Location: https://localhost:8443/secret/a?b=c\r\n"), first);
        String other = Curl.run("-i", server.url(BY_BODY, "/secret/a"));
        assertTrue(other.contains("Location: https://localhost/secret/a\r\n"), other);
    }

    @Test
    void asksForNamesIfToldTo() throws Exception {
        String seen = get(FIRST, "/where");
        assertTrue(seen.contains("host 127.0.0.1"), seen);
        String named = get(LATIN, "/where");
        assertTrue(named.contains("host localhost"), named);
    }

    @Test
    void answersWhatItsQueueCannotTakeWith503() throws Exception {
        Path release = base.resolve("release");
        String hold = server.url(SMALL, "/hold?until=" + release);
        CompletableFuture<String> running = Command.outputOf(Curl.start(hold));
        ThreadDump.awaitFrame(server.product().jvm(), "ProbeServlet.hold");
        List<CompletableFuture<String>> more = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            more.add(Command.outputOf(Curl.start("-o", "/dev/null", "-w", "%{http_code}", hold)));
        }
        Deadline.await("two answers", () -> answered(more) == 2);
        Files.createFile(release);
        assertEquals("held", Deadline.await(running).strip());
        List<String> statuses = new ArrayList<>();
        for (CompletableFuture<String> each : more) {
            statuses.add(Deadline.await(each));
        }
        statuses.sort(null);
        assertEquals(List.of("200", "503", "503"), statuses);
        assertEquals("/x", get(SMALL, "/x"));
    }

    private static long answered(List<CompletableFuture<String>> requests) {
        return requests.stream().filter(CompletableFuture::isDone).count();
    }

    private static String get(int connector, String path) throws Exception {
        return Curl.run(server.url(connector, path)).strip();
    }
}

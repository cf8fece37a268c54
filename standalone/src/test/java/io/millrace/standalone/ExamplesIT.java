package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.Deadline;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code millrace run millrace-examples.war}, asked by curl, … */
@NullUnmarked
final class ExamplesIT {

    private static final Pattern LINK = Pattern.compile("href=\"([^\"#]+)\"");
    private static final int MEGABYTE = 1_000_000;

    @TempDir
    private static Path directory;

    private static Product product;

    @BeforeAll
    static void start() throws IOException {
        product = Product.serving(
                "run",
                "--port=0",
                "--address=127.0.0.1",
                "--work=" + directory.resolve("work"),
                Product.EXAMPLES.toString());
    }

    @AfterAll
    static void stop() {
        product.close();
    }

    @Test
    void printsTheUrl() {
        assertTrue(product.has(url("")), product.output());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            hello                        | Hello from web.xml
            annotated/a/b?x=1            | pathInfo: /a/b
            any/thing.example            | servletPath: /any/thing.example
            annotated/x                  | filtered: true
            shout                        | HELLO FROM WEB.XML
            include                      | Hello from web.xml
            include?forward              | Hello from web.xml
            info                         | slate
            form?text=%3Cb%3E%26         | &lt;b&gt;&amp;
            async?ms=20                  | asynchronous: began on
            slow?ms=20                   | slept 20 ms
            fail?how=exception           | Something went wrong
            fail?how=418                 | asked to fail
            missing                      | own page for status 404
            a/b/missing                  | <base href="/millrace-examples/">
            style.css                    | font: 16px
            chat.html                    | new WebSocket(url)
            """)
    void answers(String path, String expected) throws Exception {
        String answer = Curl.run(url(path));
        assertTrue(answer.contains(expected), answer);
    }

    @ParameterizedTest
    @CsvSource({
        "hello,200",
        "missing,404",
        "fail?how=exception,500",
        "fail?how=418,418",
        "fail?how=503,503",
        "WEB-INF/web.xml,404"
    })
    void answersWithTheStatus(String path, int status) throws Exception {
        assertEquals(status, Curl.status(url(path)));
    }

    @Test
    void servesEveryPageThatItsIndexLinks() throws Exception {
        List<String> links = LINK.matcher(Curl.run(url("")))
                .results()
                .map((MatchResult link) -> link.group(1).replace("&amp;", "&"))
                .filter(link -> !link.startsWith("download") && !link.startsWith("fail") && !link.equals("missing"))
                .toList();
        assertTrue(links.size() > 8, links.toString());
        for (String link : links) {
            assertEquals(200, Curl.status("-L", url(link)), link);
        }
    }

    @Test
    void redirectsToTheDirectoryOfTheApplication() throws Exception {
        String head = Curl.run("-I", product.url("/millrace-examples"));
        assertTrue(head.startsWith("HTTP/1.1 302 "), head);
        assertTrue(head.contains("/millrace-examples/"), head);
    }

    @Test
    void filtersEveryResponse() throws Exception {
        String head = Curl.run("-D", "-", "-o", "/dev/null", url("hello"));
        assertTrue(head.toLowerCase(Locale.ROOT).contains("x-filtered-by: timingfilter"), head);
    }

    @Test
    void countsTheVisitsOfASession() throws Exception {
        String jar = directory.resolve("cookies").toString();
        for (int visit = 1; visit <= 3; visit++) {
            String page = Curl.run("-b", jar, "-c", jar, url("counter"));
            assertTrue(page.contains("<td>" + visit + "</td>"), page);
        }
        String fresh = Curl.run("-L", "-b", jar, "-c", jar, url("counter?end"));
        assertTrue(fresh.contains("<td>1</td>"), fresh);
    }

    @Test
    void readsAPostedForm() throws Exception {
        String page = Curl.run("--data-urlencode", "text=Gr\u00fc\u00dfe <b>", "-d", "text=two", url("form"));
        assertTrue(page.contains("Form by POST"), page);
        assertTrue(page.contains("Gr\u00fc\u00dfe &lt;b&gt;, two"), page);
    }

    @Test
    void letsVisitorsChat() throws Exception {
        ProductSocket first = ProductSocket.open(product, "/millrace-examples/chat");
        String guest = first.next().replace("text you ", "");
        assertEquals("text here 1", first.next());
        assertEquals("text note " + guest + " has come.", first.next());

        ProductSocket second = ProductSocket.open(product, "/millrace-examples/chat");
        String other = second.next().replace("text you ", "");
        assertEquals("text here 2", first.next());
        assertEquals("text note " + other + " has come.", first.next());

        first.send("<b>Gr\u00fc\u00dfe</b>");
        assertEquals("text here 2", second.next());
        assertEquals("text note " + other + " has come.", second.next());
        assertEquals("text said " + guest + ": <b>Gr\u00fc\u00dfe</b>", second.next());
        assertEquals("text said " + guest + ": <b>Gr\u00fc\u00dfe</b>", first.next());

        second.close();
        assertEquals("text here 1", first.next());
        assertEquals("text note " + other + " has left.", first.next());
        first.close();
    }

    @Test
    void takesAnUploadOf100MegabytesToDiskAndDeletesIt() throws Exception {
        Path file = directory.resolve("upload.bin");
        String sha256 = write(file, 100 * MEGABYTE);
        String answer = Curl.run("-F", "file=@" + file, url("upload"));
        assertEquals("part=file file=upload.bin size=100000000 sha256=" + sha256, answer.strip());
        Files.delete(file);
        Deadline.await("the upload to be deleted", () -> !holdsAFileOver(directory.resolve("work"), MEGABYTE));
    }

    @Test
    void sends700MegabytesOfADynamicResponse() throws Exception {
        assertEquals(
                "200 700000000",
                Curl.run("-o", "/dev/null", "-w", "%{http_code} %{size_download}", url("download?size=700000000")));
    }

    private static String url(String path) {
        return product.url("/millrace-examples/" + path);
    }

    private static String write(Path file, int size) throws Exception {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        Random random = new Random(1);
        byte[] block = new byte[MEGABYTE];
        try (OutputStream out = Files.newOutputStream(file)) {
            for (int left = size; left > 0; left -= block.length) {
                random.nextBytes(block);
                digest.update(block);
                out.write(block);
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static boolean holdsAFileOver(Path tree, long bytes) {
        try (Stream<Path> files = Files.walk(tree)) {
            return files.anyMatch(file -> file.toFile().length() > bytes && Files.isRegularFile(file));
        } catch (IOException | UncheckedIOException goneMeanwhile) {
            return true;
        }
    }
}

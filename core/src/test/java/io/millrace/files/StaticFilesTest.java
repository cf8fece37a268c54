package io.millrace.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.handler.Asked;
import io.millrace.handler.MemoryStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Static files, each case cached and uncached … */
final class StaticFilesTest {

    private static final FileTime LONG_AGO = FileTime.from(Instant.parse("2026-01-02T03:04:05.678Z"));
    private static final CacheLimits EAGER = CacheLimits.DEFAULTS.withAdmission(1);

    @TempDir
    Path root = Path.of("");

    private final StringBuilder text = new StringBuilder();

    @BeforeEach
    void write() throws IOException {
        for (int i = 0; i < 20_000; i++) {
            text.append(i % 10);
        }
        put("digits.txt", text.toString());
        put("page.html", "<p>page</p>");
    }

    private void put(String name, String content) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        Files.writeString(file, content);
        Files.setLastModifiedTime(file, LONG_AGO);
    }

    private FileHandler handler(CacheLimits limits) throws IOException {
        return FileHandler.builder(root).cache(limits).build();
    }

    /** Uncached, then admitted, then from memory; all responses must be equal. */
    private MemoryStream get(String path, String... fields) throws IOException {
        FileHandler cached = handler(EAGER);
        MemoryStream answer = ask(handler(CacheLimits.NONE), path, fields);
        for (int i = 0; i < 3; i++) {
            MemoryStream again = ask(cached, path, fields);
            assertEquals(answer.status(), again.status());
            assertEquals(normal(answer), normal(again));
        }
        return answer;
    }

    /** The boundary is random. */
    private static String normal(MemoryStream answer) {
        return answer.body().replaceAll("--[0-9a-f]{16}", "--")
                + answer.contentLength()
                + answer.header("ETag")
                + answer.header("Content-Range");
    }

    private static MemoryStream ask(FileHandler files, String path, String... fields) {
        Asked asked = Asked.get(path);
        for (int i = 0; i < fields.length; i += 2) {
            asked.header(fields[i], fields[i + 1]);
        }
        return asked.of(files);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "bytes=0-4 | bytes 0-4/20000 | 01234",
                "bytes=-3 | bytes 19997-19999/20000 | 789",
                "bytes=19998- | bytes 19998-19999/20000 | 89",
                "bytes=1-2,4-5 | bytes 1-5/20000 | 12345",
            })
    void sendsOneRange(String range, String contentRange, String body) throws IOException {
        MemoryStream answer = get("/digits.txt", "Range", range);
        assertEquals(206, answer.status());
        assertEquals(contentRange, answer.header("Content-Range"));
        assertEquals(body, answer.body());
        assertEquals(body.length(), answer.contentLength());
        assertEquals("text/plain", answer.header("Content-Type"));
    }

    @Test
    void sendsSeveralRangesInParts() throws IOException {
        MemoryStream answer = get("/digits.txt", "Range", "bytes=10000-10002,0-1,-1");
        assertEquals(206, answer.status());
        String type = String.valueOf(answer.header("Content-Type"));
        assertTrue(type.startsWith("multipart/byteranges; boundary="), type);
        String boundary = type.substring(type.indexOf('=') + 1);
        String expected = "--" + boundary
                + "\r\nContent-Type: text/plain\r\nContent-Range: bytes 10000-10002/20000\r\n\r\n012"
                + "\r\n--" + boundary + "\r\nContent-Type: text/plain\r\nContent-Range: bytes 0-1/20000\r\n\r\n01"
                + "\r\n--" + boundary
                + "\r\nContent-Type: text/plain\r\nContent-Range: bytes 19999-19999/20000\r\n\r\n9"
                + "\r\n--" + boundary + "--\r\n";
        assertEquals(expected, answer.body());
        assertEquals(expected.length(), answer.contentLength());
        assertEquals(null, answer.header("Content-Range"));
    }

    @Test
    void refusesARangeThatIsNotThere() throws IOException {
        MemoryStream answer = get("/digits.txt", "Range", "bytes=20000-");
        assertEquals(416, answer.status());
        assertEquals("bytes */20000", answer.header("Content-Range"));
        assertEquals(null, answer.header("ETag"));
    }

    @Test
    void sendsTheWholeIfTheRangeIsOfAnotherState() throws IOException {
        MemoryStream answer = get("/digits.txt", "Range", "bytes=0-4", "If-Range", "\"other\"");
        assertEquals(200, answer.status());
        assertEquals(text.toString(), answer.body());
        String etag = String.valueOf(answer.header("ETag"));
        assertEquals(
                206, get("/digits.txt", "Range", "bytes=0-4", "If-Range", etag).status());
    }

    @Test
    void ignoresRangesWhereTheyMeanNothing() throws IOException {
        MemoryStream head =
                Asked.with("HEAD", "/digits.txt").header("Range", "bytes=0-4").of(handler(EAGER));
        assertEquals(200, head.status());
        assertEquals(20_000, head.contentLength());
        FileHandler without = FileHandler.builder(root).ranges(false).build();
        MemoryStream answer = ask(without, "/digits.txt", "Range", "bytes=0-4");
        assertEquals(200, answer.status());
        assertEquals(null, answer.header("Accept-Ranges"));
    }

    @Test
    void evaluatesConditionsBeforeRanges() throws IOException {
        String etag = String.valueOf(get("/digits.txt").header("ETag"));
        assertEquals(
                304,
                get("/digits.txt", "Range", "bytes=0-4", "If-None-Match", etag).status());
        assertEquals(
                412,
                get("/digits.txt", "Range", "bytes=99999-", "If-Match", "\"other\"")
                        .status());
        MemoryStream failed = get("/digits.txt", "If-Match", "\"other\"");
        assertEquals(null, failed.header("ETag"));
        assertEquals(200, get("/digits.txt", "If-Match", etag).status());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "br, gzip | br | brotli",
                "gzip | gzip | zipped",
                "zstd | - | <p>page</p>",
                "br;q=0.1, gzip;q=0.9 | gzip | zipped",
                "identity | - | <p>page</p>",
            })
    void sendsTheCompressedSiblingThatTheClientTakes(String accepted, String coding, String body) throws IOException {
        put("page.html.br", "brotli");
        put("page.html.gz", "zipped");
        MemoryStream answer = get("/page.html", "Accept-Encoding", accepted);
        assertEquals(200, answer.status());
        assertEquals(coding, answer.header("Content-Encoding"));
        assertEquals(body, answer.body());
        assertEquals("text/html", answer.header("Content-Type"));
        assertEquals("Accept-Encoding", answer.header("Vary"));
        String etag = String.valueOf(answer.header("ETag"));
        assertEquals(
                304,
                get("/page.html", "Accept-Encoding", accepted, "If-None-Match", etag)
                        .status());
        String plain = String.valueOf(get("/page.html").header("ETag"));
        assertEquals(coding == null, plain.equals(etag));
    }

    @Test
    void sendsRangesOfTheSibling() throws IOException {
        put("page.html.gz", "zipped");
        MemoryStream answer = get("/page.html", "Accept-Encoding", "gzip", "Range", "bytes=1-2");
        assertEquals("ip", answer.body());
        assertEquals("bytes 1-2/6", answer.header("Content-Range"));
        assertEquals("gzip", answer.header("Content-Encoding"));
    }

    @Test
    void sendsNoSiblingThatIsOlder() throws IOException {
        put("page.html.gz", "old");
        Files.setLastModifiedTime(root.resolve("page.html"), FileTime.from(Instant.parse("2026-01-02T03:04:09Z")));
        MemoryStream answer = get("/page.html", "Accept-Encoding", "gzip");
        assertEquals("<p>page</p>", answer.body());
        assertEquals(null, answer.header("Vary"));
    }

    @Test
    void servesASiblingItself() throws IOException {
        put("page.html.gz", "zipped");
        MemoryStream answer = get("/page.html.gz", "Accept-Encoding", "gzip");
        assertEquals("application/gzip", answer.header("Content-Type"));
        assertEquals(null, answer.header("Content-Encoding"));
    }

    @Test
    void marksTheTagOfAFileThatWasJustWrittenWeak() throws IOException {
        Files.setLastModifiedTime(
                root.resolve("page.html"), FileTime.from(Instant.now().plusSeconds(60)));
        assertTrue(
                String.valueOf(ask(handler(EAGER), "/page.html").header("ETag")).startsWith("W/"));
    }

    @Test
    void noticesAChangeOnceItLooksAgain() throws IOException {
        FileHandler stale = handler(EAGER.withFreshness(Duration.ofHours(1)));
        FileHandler fresh = handler(EAGER.withFreshness(Duration.ZERO));
        for (int i = 0; i < 3; i++) {
            ask(stale, "/page.html");
            ask(fresh, "/page.html");
        }
        put("page.html", "<p>other</p>");
        assertEquals("<p>page</p>", ask(stale, "/page.html").body());
        assertEquals("<p>other</p>", ask(fresh, "/page.html").body());
        Files.delete(root.resolve("page.html"));
        assertEquals(404, ask(fresh, "/page.html").status());
    }

    @Test
    void noticesACompressedSiblingThatComesLater() throws IOException {
        FileHandler files = handler(EAGER.withFreshness(Duration.ZERO));
        assertEquals(
                "<p>page</p>",
                ask(files, "/page.html", "Accept-Encoding", "gzip").body());
        put("page.html.gz", "zipped");
        assertEquals(
                "zipped", ask(files, "/page.html", "Accept-Encoding", "gzip").body());
    }

    @Test
    void namesTheCharsetOfText() throws IOException {
        FileHandler files = FileHandler.builder(root)
                .charset(java.nio.charset.StandardCharsets.UTF_8)
                .build();
        assertEquals("text/plain;charset=utf-8", ask(files, "/digits.txt").header("Content-Type"));
    }

    @Test
    void listsADirectoryInTheOrderAskedFor() throws IOException {
        put("list/b<i>.txt", "12345");
        put("list/a b&c.txt", "1");
        put("list/.hidden", "x");
        put("list/sub/x", "x");
        FileHandler files = FileHandler.builder(root).listings(true).build();
        String page = ask(files, "/list/").body();
        assertTrue(page.indexOf("sub/") < page.indexOf("a b&amp;c.txt"), page);
        assertTrue(page.indexOf("a b&amp;c.txt") < page.indexOf("b&lt;i&gt;.txt"), page);
        assertTrue(page.contains("href=\"./a%20b&amp;c.txt\""), page);
        assertFalse(page.contains("hidden"), page);
        assertFalse(page.contains("<i>"), page);
        String bySize = ask(files, "/list/?C=S;O=D").body();
        assertTrue(bySize.indexOf("b&lt;i&gt;.txt") < bySize.indexOf("a b&amp;c.txt"), bySize);
        assertEquals(404, ask(handler(EAGER), "/list/").status());
    }

    @Test
    void refusesEveryLinkIfTold() throws IOException {
        Files.createSymbolicLink(root.resolve("link.html"), root.resolve("page.html"));
        assertEquals("text/html", get("/link.html").header("Content-Type"));
        FileHandler strict =
                FileHandler.builder(root).symbolicLinks(SymbolicLinks.REFUSED).build();
        assertEquals(404, ask(strict, "/link.html").status());
        assertEquals(200, ask(strict, "/page.html").status());
    }
}

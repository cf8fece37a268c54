package io.millrace.compression;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.stream.ExchangeOutputStream;
import io.millrace.files.CacheLimits;
import io.millrace.files.FileHandler;
import io.millrace.handler.Asked;
import io.millrace.handler.MemoryStream;
import io.millrace.handler.Responses;
import io.millrace.settings.Setting;
import io.millrace.settings.Settings;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Compression of responses … */
final class CompressionTest {

    private static final String TEXT = "All work and no play makes Jack a dull boy. ".repeat(1_000);
    private static final Settings ON = Settings.DEFAULTS.with(Compression.MODE, CompressionMode.ON);
    private static final Compression ALL = Compression.of(ON);
    private static final Compression FORCED = Compression.of(ON.with(Compression.MODE, CompressionMode.FORCE));

    private static HttpHandler text(String type, Consumer<io.millrace.http.Headers> fields) {
        return exchange -> {
            fields.accept(exchange.response().headers());
            Responses.bytes(exchange, 200, type, TEXT.getBytes(StandardCharsets.UTF_8));
        };
    }

    private static MemoryStream ask(Compression compression, String accepted, HttpHandler handler) {
        return Asked.get("/").header("Accept-Encoding", accepted).of(compression.wrap(handler));
    }

    private static String decoded(MemoryStream answer) throws Exception {
        String coding = String.valueOf(answer.header("Content-Encoding"));
        try (InputStream in = Decoding.of(coding, answer.bytes())) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "deflate", "br", "zstd"})
    void speaksEveryCoding(String coding) throws Exception {
        for (int i = 0; i < 3; i++) {
            MemoryStream answer = ask(ALL, coding, text("text/html", fields -> {}));
            assertEquals(coding, answer.header("Content-Encoding"));
            assertEquals("Accept-Encoding", answer.header("Vary"));
            assertEquals(TEXT, decoded(answer));
            assertEquals(answer.bytes().length, answer.contentLength());
            assertTrue(answer.bytes().length < TEXT.length() / 10);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "deflate", "br", "zstd"})
    void sendsWhatWasFlushedAndEndsWell(String coding) throws Exception {
        HttpHandler pieces = exchange -> {
            exchange.response().headers().set("Content-Type", "text/plain");
            for (int i = 0; i < 5; i++) {
                ExchangeOutputStream.of(exchange).write(TEXT.getBytes(StandardCharsets.UTF_8));
                ExchangeOutputStream.of(exchange).flush();
            }
        };
        MemoryStream answer = ask(ALL, coding, pieces);
        assertEquals(TEXT.repeat(5), decoded(answer));
        assertEquals(-1, answer.contentLength());
        assertTrue(answer.pieces() >= 5, "pieces: " + answer.pieces());
    }

    @ParameterizedTest
    @CsvSource({"text/html;charset=utf-8, true", "application/json, true", "image/png, false", "TEXT/CSS, true"})
    void looksAtTheType(String type, boolean compressed) {
        assertEquals(compressed, ask(ALL, "gzip", text(type, fields -> {})).header("Content-Encoding") != null);
    }

    @Test
    void leavesWhatIsEncodedAlready() {
        MemoryStream answer = ask(ALL, "gzip", text("text/html", fields -> fields.set("Content-Encoding", "br")));
        assertEquals("br", answer.header("Content-Encoding"));
        assertEquals(TEXT, answer.body());
    }

    @Test
    void leavesWhatMustNotBeTransformed() {
        HttpHandler handler = text("text/html", fields -> fields.set("Cache-Control", "max-age=1, no-transform"));
        assertEquals(TEXT, ask(ALL, "gzip", handler).body());
        HttpHandler inTwoLines = text(
                "text/html", fields -> fields.add("Cache-Control", "private").add("Cache-Control", "no-transform"));
        assertEquals(TEXT, ask(ALL, "gzip", inTwoLines).body());
    }

    @Test
    void leavesWhatIsSmallUnlessToldToCompressAlways() {
        HttpHandler small = exchange -> Responses.text(exchange, 200, "small");
        assertEquals("small", ask(ALL, "gzip", small).body());
        assertEquals("gzip", ask(FORCED, "gzip", small).header("Content-Encoding"));
        Compression tiny = Compression.of(ON.with(Compression.MIN_SIZE, 5));
        assertEquals("gzip", ask(tiny, "gzip", small).header("Content-Encoding"));
    }

    @ParameterizedTest
    @ValueSource(ints = {204, 304})
    void leavesWhatHasNoBody(int status) {
        MemoryStream answer = ask(FORCED, "gzip", exchange -> Responses.empty(exchange, status));
        assertEquals(null, answer.header("Content-Encoding"));
    }

    @Test
    void weakensTheTagAndWithdrawsTheRanges() {
        MemoryStream answer = ask(
                ALL,
                "gzip",
                text("text/html", fields -> fields.set("ETag", "\"x\"").set("Accept-Ranges", "bytes")));
        assertEquals("W/\"x\"", answer.header("ETag"));
        assertEquals(null, answer.header("Accept-Ranges"));
    }

    @Test
    void leavesStrongTagsAloneIfTold() {
        Compression tomcat = Compression.of(ON.with(Compression.NO_COMPRESSION_STRONG_ETAG, true));
        HttpHandler strong = text("text/html", fields -> fields.set("ETag", "\"x\""));
        assertEquals(TEXT, ask(tomcat, "gzip", strong).body());
        HttpHandler weak = text("text/html", fields -> fields.set("ETag", "W/\"x\""));
        assertEquals("gzip", ask(tomcat, "gzip", weak).header("Content-Encoding"));
    }

    @Test
    void saysThatItDependsOnTheClientEvenIfThatTakesNothing() {
        MemoryStream answer = ask(ALL, "identity", text("text/html", fields -> {}));
        assertEquals("Accept-Encoding", answer.header("Vary"));
        assertEquals(TEXT, answer.body());
        MemoryStream said =
                ask(ALL, "gzip", text("text/html", fields -> fields.set("Vary", "Origin, accept-encoding")));
        assertEquals("Origin, accept-encoding", said.header("Vary"));
    }

    @Test
    void saysSoToWhoHasItAlready() {
        MemoryStream answer = ask(ALL, "gzip", exchange -> Responses.empty(exchange, 304));
        assertEquals("Accept-Encoding", answer.header("Vary"));
    }

    @ParameterizedTest
    @CsvSource({"text/html, Accept-Encoding", "multipart/byteranges; boundary=b, Accept-Encoding", "image/png,"})
    void saysSoWithAPartIfItWouldWithTheWhole(String type, @Nullable String vary) {
        HttpHandler part = exchange -> {
            exchange.response().headers().set("Content-Range", "bytes 0-3/9999");
            Responses.bytes(exchange, 206, type, new byte[4]);
        };
        MemoryStream answer = ask(ALL, "gzip", part);
        assertEquals(vary, answer.header("Vary"));
        assertEquals(null, answer.header("Content-Encoding"));
    }

    @Test
    void knowsTheWeakTagOfWhatItCompressed() {
        HttpHandler unchanged = exchange -> {
            exchange.response().headers().set("ETag", "\"x\"");
            Responses.empty(exchange, 304);
        };
        Asked byWeak = Asked.get("/").header("If-None-Match", "\"y\", W/\"x\"");
        assertEquals("W/\"x\"", byWeak.of(ALL.wrap(unchanged)).header("ETag"));
        Asked byStrong = Asked.get("/").header("If-None-Match", "\"x\"");
        assertEquals("\"x\"", byStrong.of(ALL.wrap(unchanged)).header("ETag"));
    }

    @Test
    void leavesSomeClientsAlone() {
        Settings picky = ON.with(Compression.NO_COMPRESSION_USER_AGENTS, Pattern.compile(".*MSIE 6.*"));
        Asked old = Asked.get("/")
                .header("Accept-Encoding", "gzip")
                .header("User-Agent", "Mozilla/4.0 (compatible; MSIE 6.0)");
        HttpHandler page = text("text/html", fields -> {});
        assertEquals(TEXT, old.of(Compression.of(picky).wrap(page)).body());
        Settings forced = picky.with(Compression.MODE, CompressionMode.FORCE);
        assertEquals("gzip", old.of(Compression.of(forced).wrap(page)).header("Content-Encoding"));
    }

    @Test
    void doesNothingWhereItIsOff() {
        Compression off = Compression.of(Settings.DEFAULTS);
        HttpHandler page = text("text/html", fields -> {});
        assertSame(page, off.wrap(page));
        assertEquals(List.of(), off.codings());
    }

    @Test
    void hasTomcatsDefaultsInServerXml() {
        Map<String, Optional<String>> defaults = Compression.all().stream()
                .collect(Collectors.toMap(Setting::name, setting -> Optional.ofNullable(setting.xmlDefault())));
        assertEquals(
                Map.of(
                        "compression", Optional.of("off"),
                        "compressionMinSize", Optional.of("2048"),
                        "compressibleMimeType",
                                Optional.of("text/html,text/xml,text/plain,text/css,text/javascript,"
                                        + "application/javascript,application/json,application/xml"),
                        "noCompressionUserAgents", Optional.empty(),
                        "noCompressionStrongETag", Optional.of("true"),
                        "compressionCodings", Optional.of("")),
                defaults);
    }

    @Test
    void refusesACodingThatNobodyKnows() {
        IllegalArgumentException refused = assertThrows(
                IllegalArgumentException.class, () -> ON.with(Compression.CODINGS, Set.of("gzip", "compress")));
        assertEquals(
                "compressionCodings is compress,gzip; expected names between commas, of zstd, br, gzip and deflate",
                refused.getMessage());
    }

    @Test
    void answersHeadAsItWouldGet() {
        MemoryStream answer =
                Asked.with("HEAD", "/").header("Accept-Encoding", "gzip").of(ALL.wrap(text("text/html", fields -> {})));
        assertEquals("gzip", answer.header("Content-Encoding"));
        assertEquals(-1, answer.contentLength());
    }

    @Test
    void offersOnlyWhatItIsTold() {
        Compression gzip = Compression.of(
                ON.with(Compression.CODINGS, Set.of("gzip")).with(Compression.COMPRESSIBLE_MIME_TYPE, Set.of("Text/")));
        assertEquals("[gzip]", gzip.codings().toString());
        assertEquals(
                "gzip",
                ask(gzip, "br, gzip;q=0.1", text("text/x-odd", fields -> {})).header("Content-Encoding"));
    }

    @Test
    void compressesFilesButNotTheirRangesNorCompressedSiblings(@TempDir Path root) throws Exception {
        Path page = Files.writeString(root.resolve("page.html"), TEXT.repeat(4));
        Files.setLastModifiedTime(page, FileTime.from(Instant.parse("2026-01-02T03:04:05Z")));
        FileHandler files = FileHandler.builder(root)
                .cache(CacheLimits.DEFAULTS.withAdmission(2))
                .build();
        for (int i = 0; i < 4; i++) {
            MemoryStream whole =
                    Asked.get("/page.html").header("Accept-Encoding", "gzip").of(ALL.wrap(files));
            assertEquals("gzip", whole.header("Content-Encoding"));
            assertEquals(TEXT.repeat(4), decoded(whole));
            MemoryStream range = Asked.get("/page.html")
                    .header("Accept-Encoding", "gzip")
                    .header("Range", "bytes=0-2")
                    .of(ALL.wrap(files));
            assertEquals("All", range.body());
            assertFalse(String.valueOf(range.header("ETag")).startsWith("W/"));
        }
        Files.writeString(root.resolve("page.html.gz"), "zipped");
        FileHandler again = FileHandler.of(root);
        assertEquals(
                "zipped",
                Asked.get("/page.html")
                        .header("Accept-Encoding", "gzip")
                        .of(ALL.wrap(again))
                        .body());
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "br"})
    void compressesWhatTheCacheHoldsOnce(String coding, @TempDir Path root) throws Exception {
        Path page = Files.writeString(root.resolve("page.html"), TEXT);
        Files.setLastModifiedTime(page, FileTime.from(Instant.parse("2026-01-02T03:04:05Z")));
        AtomicInteger workers = new AtomicInteger();
        FileHandler files = FileHandler.builder(root)
                .cache(CacheLimits.DEFAULTS.withAdmission(2).withFreshness(Duration.ofHours(1)))
                .build();
        Asked asked = Asked.get("/page.html").header("Accept-Encoding", coding).counting(workers);
        for (int i = 0; i < 3; i++) {
            assertEquals(TEXT, decoded(asked.of(ALL.wrap(files))));
        }
        int before = workers.get();
        MemoryStream kept = asked.of(ALL.wrap(files));
        assertEquals(before, workers.get(), "no worker was asked to compress it again");
        assertEquals(TEXT, decoded(kept));
        assertEquals(kept.bytes().length, kept.contentLength());
        assertEquals(TEXT, Asked.get("/page.html").of(ALL.wrap(files)).body());
    }

    @Test
    void leavesLargeFilesToTheKernel(@TempDir Path root) throws Exception {
        Files.writeString(root.resolve("large.txt"), TEXT.repeat(30));
        MemoryStream answer =
                Asked.get("/large.txt").header("Accept-Encoding", "gzip").of(ALL.wrap(FileHandler.of(root)));
        assertEquals(null, answer.header("Content-Encoding"));
        assertEquals(TEXT.repeat(30), answer.body());
    }
}

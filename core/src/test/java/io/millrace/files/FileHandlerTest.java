package io.millrace.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.handler.Asked;
import io.millrace.handler.MemoryStream;
import io.millrace.handler.PathRouter;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The file handler … */
class FileHandlerTest {

    @TempDir
    Path directory = Path.of("");

    private Path root = Path.of("");

    @BeforeEach
    void writeFiles() throws IOException {
        root = Files.createDirectories(directory.resolve("root"));
        Files.createDirectories(root.resolve("docs/empty"));
        Files.createDirectories(root.resolve(".well-known"));
        Files.writeString(root.resolve("docs/index.html"), "<p>index</p>");
        Files.writeString(root.resolve("a.TXT"), "text");
        Files.writeString(root.resolve("none"), "");
        Files.writeString(root.resolve(".secret"), "secret");
        Files.writeString(root.resolve("docs/.htaccess"), "secret");
        Files.writeString(root.resolve(".well-known/acme"), "token");
        Files.writeString(directory.resolve("outside.txt"), "outside");
        Files.setLastModifiedTime(root.resolve("a.TXT"), FileTime.from(Instant.parse("2026-01-02T03:04:05.678Z")));
    }

    private MemoryStream get(String path) throws IOException {
        return Asked.get(path).of(FileHandler.of(root));
    }

    @Test
    void servesAFileWithTypeLengthAndValidators() throws IOException {
        MemoryStream answer = get("/a.TXT");
        assertEquals(200, answer.status());
        assertEquals("text", answer.body());
        assertEquals(4, answer.contentLength());
        assertEquals("text/plain", answer.header("Content-Type"));
        assertEquals("Fri, 02 Jan 2026 03:04:05 GMT", answer.header("Last-Modified"));
        assertTrue(String.valueOf(answer.header("ETag")).startsWith("\"4-"));
    }

    @Test
    void servesAnEmptyFile() throws IOException {
        MemoryStream answer = get("/none");
        assertEquals(200, answer.status());
        assertEquals(0, answer.contentLength());
        assertEquals("application/octet-stream", answer.header("Content-Type"));
    }

    @Test
    void answersHeadWithTheLengthAndWithoutTheBody() throws IOException {
        MemoryStream answer = Asked.with("HEAD", "/a.TXT").of(FileHandler.of(root));
        assertEquals(4, answer.contentLength());
        assertEquals("", answer.body());
    }

    @Test
    void servesTheIndexOfADirectoryAndWellKnownLocations() throws IOException {
        assertEquals("<p>index</p>", get("/docs/").body());
        assertEquals("token", get("/.well-known/acme").body());
    }

    @Test
    void redirectsToADirectorysSlash() throws IOException {
        MemoryStream answer = Asked.get("/docs?x=1").of(FileHandler.of(root));
        assertEquals(302, answer.status());
        assertEquals("/docs/?x=1", answer.header("Location"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/nothing",
                "/docs/empty/",
                "/a.TXT/",
                "/a.TXT/b",
                "/.secret",
                "/docs/.htaccess",
                "/docs/.well-known/x",
                "/../outside.txt",
                "/docs/../../outside.txt",
                "/..\\outside.txt",
                "/docs\\index.html",
                "/C:/outside.txt",
                "/a.TXT::$DATA",
                "/a.TXT\0",
                "/a\u0007",
                "//etc/passwd",
                "*",
            })
    void findsNothingThatIsNotForEverybody(String path) throws IOException {
        assertEquals(404, get(path).status());
    }

    @Test
    void servesAndListsNamesWithAColonWhereTheSystemHasThem() throws IOException {
        assumeTrue(File.separatorChar == '/');
        Files.writeString(root.resolve("docs/empty/12:30.txt"), "noon");
        assertEquals("noon", get("/docs/empty/12:30.txt").body());
        FileHandler listing = FileHandler.builder(root).listings(true).build();
        String page = Asked.get("/docs/empty/").of(listing).body();
        assertTrue(page.contains("href=\"./12:30.txt\""), page);
    }

    @Test
    void followsLinksOnlyInsideTheDirectoryUnlessTold() throws IOException {
        Files.createSymbolicLink(root.resolve("in"), root.resolve("a.TXT"));
        Files.createSymbolicLink(root.resolve("out"), directory.resolve("outside.txt"));
        Files.createSymbolicLink(root.resolve("up"), directory);
        assertEquals("text", get("/in").body());
        assertEquals(404, get("/out").status());
        assertEquals(404, get("/up/outside.txt").status());
        FileHandler following =
                FileHandler.builder(root).symbolicLinks(SymbolicLinks.FOLLOWED).build();
        assertEquals("outside", Asked.get("/out").of(following).body());
    }

    @Test
    void answers304ToWhoHasTheFileAlready() throws IOException {
        FileHandler files = FileHandler.of(root);
        String etag = get("/a.TXT").header("ETag");
        assertNotNull(etag);
        Asked byTag = Asked.get("/a.TXT").header("If-None-Match", "\"x\", " + etag);
        MemoryStream answer = byTag.of(files);
        assertEquals(304, answer.status());
        assertEquals(etag, answer.header("ETag"));
        assertEquals("", answer.body());
        String date = "Fri, 02 Jan 2026 03:04:05 GMT";
        assertEquals(
                304,
                Asked.get("/a.TXT").header("If-Modified-Since", date).of(files).status());
    }

    @ParameterizedTest
    @ValueSource(strings = {"Fri, 02 Jan 2026 03:04:04 GMT", "yesterday", ""})
    void answers200ToOlderOrOddDates(String date) throws IOException {
        Asked asked = Asked.get("/a.TXT").header("If-Modified-Since", date);
        assertEquals(200, asked.of(FileHandler.of(root)).status());
    }

    @Test
    void letsATagSilenceTheDate() throws IOException {
        Asked asked = Asked.get("/a.TXT")
                .header("If-None-Match", "\"other\"")
                .header("If-Modified-Since", "Fri, 02 Jan 2026 03:04:05 GMT");
        assertEquals(200, asked.of(FileHandler.of(root)).status());
    }

    @Test
    void refusesOtherMethods() throws IOException {
        MemoryStream answer = Asked.with("POST", "/a.TXT").of(FileHandler.of(root));
        assertEquals(405, answer.status());
        assertEquals("GET, HEAD, OPTIONS", answer.header("Allow"));
    }

    @Test
    void servesBelowAPrefix() throws IOException {
        PathRouter router =
                PathRouter.builder().prefix("/static", FileHandler.of(root)).build();
        assertEquals("text", Asked.get("/static/a.TXT").of(router).body());
        assertEquals("/static/", Asked.get("/static").of(router).header("Location"));
    }

    @Test
    void needsADirectory() {
        assertThrows(IOException.class, () -> FileHandler.of(root.resolve("a.TXT")));
        assertThrows(IOException.class, () -> FileHandler.of(root.resolve("missing")));
    }
}

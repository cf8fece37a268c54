package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.RawClient;
import io.millrace.testkit.Transports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whoever asks the product for what is not his, in whatever spelling, … */
@NullUnmarked
final class FileAttacksIT {

    private static final Set<Integer> REFUSED = Set.of(400, 403, 404);

    @TempDir
    private static Path base;

    private static FileServer server;

    @BeforeAll
    static void start() throws IOException {
        Path root = FileServer.root(base);
        Files.createDirectories(root.resolve("WEB-INF/classes"));
        Files.createDirectories(root.resolve("META-INF"));
        Files.createDirectories(root.resolve("dir"));
        Files.writeString(root.resolve("index.html"), "index");
        Files.writeString(root.resolve("page.html"), "page");
        Files.writeString(root.resolve("WEB-INF/secret.txt"), "SECRET");
        Files.writeString(root.resolve("WEB-INF/classes/secret.txt"), "SECRET");
        Files.writeString(root.resolve("META-INF/secret.txt"), "SECRET");
        Files.writeString(base.resolve("secret.txt"), "SECRET");
        Files.writeString(base.resolve("webapps/secret.txt"), "SECRET");
        Files.createSymbolicLink(root.resolve("out"), base);
        server = FileServer.start(base);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // plain, by case, by empty segments and by segments that go up and down again
                "/WEB-INF/secret.txt",
                "/web-inf/secret.txt",
                "/Web-Inf/secret.txt",
                "/wEB-iNF/secret.txt",
                "//WEB-INF/secret.txt",
                "/./WEB-INF/secret.txt",
                "/dir/../WEB-INF/secret.txt",
                "/WEB-INF//secret.txt",
                "/WEB-INF/./secret.txt",
                "/WEB-INF/classes/../secret.txt",
                "/META-INF/secret.txt",
                "/meta-inf/secret.txt",
                "/dir/../META-INF/secret.txt",
                // upwards
                "/../secret.txt",
                "/../../secret.txt",
                "/dir/../../secret.txt",
                "/dir/../../../secret.txt",
                "/./../secret.txt",
                "//../secret.txt",
                "/.../secret.txt",
                "/..../secret.txt",
                // encoded
                "/%57EB-INF/secret.txt",
                "/%57%45%42%2d%49%4e%46/secret.txt",
                "/WEB-INF%2fsecret.txt",
                "/WEB-INF%2Fsecret.txt",
                "/%2e/WEB-INF/secret.txt",
                "/dir/%2e%2e/WEB-INF/secret.txt",
                "/dir/.%2e/WEB-INF/secret.txt",
                "/%2e%2e/secret.txt",
                "/%2e%2e%2fsecret.txt",
                "/..%2fsecret.txt",
                "/..%2Fsecret.txt",
                "/dir%2f..%2fWEB-INF%2fsecret.txt",
                "/%2fWEB-INF/secret.txt",
                // encoded twice
                "/%2557EB-INF/secret.txt",
                "/WEB-INF%252fsecret.txt",
                "/%252e%252e/secret.txt",
                "/%252e%252e%252fsecret.txt",
                "/dir/%25%32%65%25%32%65/WEB-INF/secret.txt",
                // backslashes
                "/WEB-INF\\secret.txt",
                "/WEB-INF%5csecret.txt",
                "/..\\secret.txt",
                "/..%5csecret.txt",
                "/dir\\..\\WEB-INF\\secret.txt",
                "/dir%5c..%5cWEB-INF%5csecret.txt",
                "\\WEB-INF\\secret.txt",
                "/%255c..%255csecret.txt",
                // parameters
                "/WEB-INF;/secret.txt",
                "/WEB-INF;a=b/secret.txt",
                "/;a/WEB-INF/secret.txt",
                "/WEB-INF/;/secret.txt",
                "/dir/..;/WEB-INF/secret.txt",
                "/dir/..;a=b/WEB-INF/secret.txt",
                "/..;/secret.txt",
                "/..;/..;/secret.txt",
                "/.;/WEB-INF/secret.txt",
                "/%3b/WEB-INF/secret.txt",
                "/WEB-INF%3b/secret.txt",
                "/..%3b/secret.txt",
                // UTF-8 longer than it may be, halves of it, and other codes for the same
                "/%c0%ae%c0%ae/secret.txt",
                "/%c0%ae%c0%ae%c0%afsecret.txt",
                "/..%c0%afsecret.txt",
                "/..%e0%80%afsecret.txt",
                "/..%f0%80%80%afsecret.txt",
                "/..%c1%9csecret.txt",
                "/%c1%97EB-INF/secret.txt",
                "/WEB-INF%c0%afsecret.txt",
                "/%uff0e%uff0e/secret.txt",
                "/%ef%bc%8e%ef%bc%8e/secret.txt",
                "/%ef%bc%b7EB-INF/secret.txt",
                "/WEB%e2%80%90INF/secret.txt",
                "/WEB-%c4%b0NF/secret.txt",
                "/WEB-%c4%b1NF/secret.txt",
                // trailing dots and spaces, streams, short names: of other systems
                "/WEB-INF./secret.txt",
                "/WEB-INF../secret.txt",
                "/WEB-INF%20/secret.txt",
                "/WEB-INF%2e/secret.txt",
                "/WEB-INF/secret.txt.",
                "/WEB-INF/secret.txt%20",
                "/WEB-INF/secret.txt/",
                "/WEB-INF::$INDEX_ALLOCATION/secret.txt",
                "/WEB-INF/secret.txt::$DATA",
                "/WEB-IN~1/secret.txt",
                // control characters
                "/WEB-INF%00/secret.txt",
                "/WEB-INF/secret.txt%00",
                "/WEB-INF/secret.txt%00.html",
                "/%00/../WEB-INF/secret.txt",
                "/..%00/secret.txt",
                "/%0aWEB-INF/secret.txt",
                "/%09/WEB-INF/secret.txt",
                "/WEB-INF%7f/secret.txt",
                // other forms of a target
                "http://localhost/WEB-INF/secret.txt",
                "http://localhost/dir/%2e%2e/web-inf/secret.txt",
                "http://localhost/../secret.txt",
                "HTTP://localhost//WEB-INF/secret.txt",
                "file:///WEB-INF/secret.txt",
                "WEB-INF/secret.txt",
                "../secret.txt",
                "/page.html/../WEB-INF/secret.txt",
                "/page.html/../../secret.txt",
                "/WEB-INF/secret.txt?x=/page.html",
                "/WEB-INF/secret.txt#/page.html",
                "/WEB-INF",
                "/WEB-INF/",
                "/META-INF/",
                // through a link that leads out
                "/out/secret.txt",
                "/out/webapps/secret.txt",
                "/out/",
            })
    void isRefused(String target) throws IOException {
        String answer = answer("GET", target);
        assertFalse(answer.contains("SECRET"), answer);
        int status = Integer.parseInt(answer.substring(9, 12));
        assertTrue(REFUSED.contains(status), answer);
        assertEquals(status, Integer.parseInt(answer("HEAD", target).substring(9, 12)));
    }

    @Test
    void findsWhatIsForEverybodyInTheSameSpellings() throws IOException {
        for (String target : new String[] {
            "/page.html",
            "//page.html",
            "/%70age.html",
            "/dir/../page.html",
            "/dir/%2e%2e/page.html",
            "/page.html;a=b",
            "/page.html?WEB-INF",
            "http://localhost/page.html"
        }) {
            String answer = answer("GET", target);
            assertTrue(answer.startsWith("HTTP/1.1 200 ") && answer.endsWith("page"), target + ": " + answer);
        }
    }

    private static String answer(String method, String target) throws IOException {
        try (RawClient client = RawClient.connect(server.port(Transports.byDefault()))) {
            client.send(method + " " + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
            return client.readTextToEnd();
        }
    }
}

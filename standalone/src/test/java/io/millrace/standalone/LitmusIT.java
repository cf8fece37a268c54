package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.testkit.Deadline;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** litmus, the test suite for WebDAV servers, against Tomcat's WebdavServlet in a web.xml … */
@Tag("wars")
final class LitmusIT {

    @TempDir
    Path work;

    /** The numbers of tests are those of litmus 0.13: none is skipped. */
    @ParameterizedTest
    @CsvSource({"basic, 16", "copymove, 13", "props, 30", "locks, 41", "http, 4"})
    void findsNothing(String suite, int tests) throws Exception {
        Path application = work.resolve("files");
        Path descriptor =
                Files.createDirectories(application.resolve("WEB-INF")).resolve("web.xml");
        Files.writeString(descriptor, """
                <web-app version="4.0">
                  <servlet>
                    <servlet-name>dav</servlet-name>
                    <servlet-class>org.apache.catalina.servlets.WebdavServlet</servlet-class>
                    <init-param><param-name>listings</param-name><param-value>true</param-value></init-param>
                    <init-param><param-name>readonly</param-name><param-value>false</param-value></init-param>
                  </servlet>
                  <servlet-mapping><servlet-name>dav</servlet-name><url-pattern>/*</url-pattern></servlet-mapping>
                </web-app>
                """);
        try (Product product = Product.serving(
                "run", "--port=0", "--address=127.0.0.1", "--work=" + work.resolve("work"), application.toString())) {
            String found = litmus(suite, product.url("/files/"));
            assertTrue(found.contains("of " + tests + " tests run: " + tests + " passed, 0 failed"), found);
            assertFalse(Pattern.compile("(?i)warning|skipped").matcher(found).find(), found);
        }
    }

    /** It writes its log where it runs. */
    private String litmus(String suite, String url) throws Exception {
        ProcessBuilder builder = new ProcessBuilder("litmus", url).redirectErrorStream(true);
        builder.directory(work.toFile()).environment().put("TESTS", suite);
        Process process = builder.start();
        process.getOutputStream().close();
        CompletableFuture<String> output = Command.outputOf(process);
        String found = Deadline.await(output);
        assertEquals(0, process.waitFor(), found);
        return found;
    }
}

package io.millrace.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A page of the distribution that is written in Java 17 … */
final class JspOnJavaIT {

    @TempDir
    private Path directory = Path.of("");

    /** Those of this machine. */
    static IntStream javas() {
        return IntStream.of(17, 21, 25).filter(JspOnJavaIT::isInstalled);
    }

    private static boolean isInstalled(int version) {
        try {
            return InstalledJava.home(version).isPresent();
        } catch (IOException e) {
            return false;
        }
    }

    @ParameterizedTest
    @MethodSource("javas")
    void isCompiledOnEachJavaThatRunsTheServer(int version) throws Exception {
        Path application = directory.resolve("pages");
        Files.createDirectories(application.resolve("WEB-INF"));
        Files.writeString(application.resolve("WEB-INF/web.xml"), """
                <web-app version="3.1"><servlet><servlet-name>jsp</servlet-name>
                <init-param><param-name>compilerSourceVM</param-name><param-value>17</param-value></init-param>
                <init-param><param-name>compilerTargetVM</param-name><param-value>17</param-value></init-param>
                </servlet></web-app>
                """);
        Files.writeString(application.resolve("record.jsp"), """
                <%! record Point(int x, int y) {} %><%
                String text = \"""
                        a text block\""";
                %><%= text + " of " + new Point(1, 2) + " on " + Runtime.version().feature() %>""");
        Map<String, String> java =
                Map.of("JAVA_HOME", InstalledJava.home(version).orElseThrow().toString(), "MILLRACE_ARCHIVE", "off");
        try (Product product = Product.process()
                .environment(java)
                .serving("run", "--port=0", "--address=127.0.0.1", application.toString())) {
            URI page = URI.create(product.url("/pages/record.jsp"));
            HttpResponse<String> response = HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(page).build(), HttpResponse.BodyHandlers.ofString());
            assertEquals(
                    "a text block of Point[x=1, y=2] on " + version,
                    response.body().strip());
        }
    }
}

package io.millrace.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.http.HttpDates;
import io.millrace.servlet.filter.ExpiresFilter;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How long a response may be kept … */
final class ExpiresFilterTest {

    private static HttpResponse<String> get(Serving.Action action, String... parameters) throws Exception {
        try (Deployed app = Filtered.deploy(new ExpiresFilter(), action, parameters)) {
            return app.get("/app/x");
        }
    }

    private static String cache(HttpResponse<?> answer) {
        return String.join(", ", answer.headers().allValues("Cache-Control"));
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            access plus 10 minutes,           600
            now 1 hour 5 seconds,             3605
            access plus 2 weeks 1 day,        1296000
            A2592000,                         2592000
            access,                           0
            """)
    void isSaidInWordsOrSeconds(String expression, long seconds) throws Exception {
        HttpResponse<String> answer = get(
                (request, response) -> {
                    response.setContentType("image/gif");
                    response.getWriter().print("x");
                },
                "ExpiresByType image",
                expression);
        assertEquals("max-age=" + seconds, cache(answer));
        assertTrue(answer.headers().firstValue("Expires").isPresent());
    }

    @Test
    void dependsOnTheType() throws Exception {
        String[] parameters = {
            "ExpiresByType text/html;charset=utf-8", "A1",
            "ExpiresByType text/html", "A2",
            "ExpiresByType text", "A3",
            "ExpiresDefault", "A4"
        };
        assertEquals("max-age=1", cache(get(typed("text/html; charset=UTF-8"), parameters)));
        assertEquals("max-age=2", cache(get(typed("text/html;charset=ISO-8859-1"), parameters)));
        assertEquals("max-age=3", cache(get(typed("text/css;charset=UTF-8"), parameters)));
        assertEquals("max-age=4", cache(get(typed("image/png"), parameters)));
        assertEquals("max-age=4", cache(get((request, response) -> response.setStatus(204), parameters)));
    }

    private static Serving.Action typed(String type) {
        return (request, response) -> {
            response.setContentType(type);
            response.getOutputStream().write(1);
            response.flushBuffer();
        };
    }

    @Test
    void isLeftToTheApplicationThatSaysIt() throws Exception {
        Serving.Action own = (request, response) -> response.setHeader("Cache-Control", "private, max-age=7");
        assertEquals("private, max-age=7", cache(get(own, "ExpiresDefault", "A1")));
        Serving.Action expires = (request, response) -> response.setDateHeader("Expires", 0);
        assertEquals("", cache(get(expires, "ExpiresDefault", "A1")));
        Serving.Action more = (request, response) -> response.setHeader("Cache-Control", "private");
        assertEquals("private, max-age=1", cache(get(more, "ExpiresDefault", "A1")));
    }

    @Test
    void isNotSaidOfStatusesThatAreExcluded() throws Exception {
        Serving.Action moved = (request, response) -> response.setStatus(302);
        assertEquals("", cache(get(moved, "ExpiresDefault", "A1", "ExpiresExcludedResponseStatusCodes", "302, 500")));
        assertEquals("max-age=1", cache(get(moved, "ExpiresDefault", "A1")));
    }

    @Test
    void countsFromTheModificationOfAFile(@TempDir Path files) throws Exception {
        Instant modified = Instant.ofEpochSecond(Instant.now().getEpochSecond()).minus(Duration.ofHours(1));
        Path file = Files.writeString(files.resolve("a.txt"), "text");
        Files.setLastModifiedTime(file, FileTime.from(modified));
        WebApplicationBuilder application = WebApplication.builder("/app")
                .docBase(files)
                .filter("filter", new ExpiresFilter(), registration -> {
                    registration.setInitParameter("ExpiresDefault", "modification plus 3 hours");
                    registration.addMappingForUrlPatterns(null, false, "/*");
                });
        try (Deployed app = Deployed.of(application)) {
            HttpResponse<String> answer = app.get("/app/a.txt");
            assertEquals("text", answer.body());
            assertEquals(
                    HttpDates.format(modified.plus(Duration.ofHours(3)).toEpochMilli()),
                    answer.headers().firstValue("Expires").orElse(""));
            assertTrue(cache(answer).matches("max-age=[67]\\d{3}"), cache(answer));
        }
        Serving.Action unknown = (request, response) -> response.getWriter().print("x");
        assertEquals("", cache(get(unknown, "ExpiresDefault", "M1")));
    }
}

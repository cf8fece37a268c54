package io.millrace.boot.beside;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.cluster.redis.RedisServer;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import javax.servlet.http.HttpSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.servlet.context.ServletWebServerApplicationContext;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Sessions of Spring Session in Redis … */
@Tag("wars")
@Timeout(120)
final class RedisSessionsTest {

    /** Counts in the session. */
    @SpringBootConfiguration
    @EnableAutoConfiguration
    @RestController
    static class Application {

        @GetMapping("/count")
        String count(HttpSession session) {
            int count = session.getAttribute("count") instanceof Integer before ? before + 1 : 1;
            session.setAttribute("count", count);
            return String.valueOf(count);
        }
    }

    private final HttpClient client =
            HttpClient.newBuilder().cookieHandler(new CookieManager()).build();

    private String count(ServletWebServerApplicationContext context) throws Exception {
        URI address = URI.create("http://localhost:" + context.getWebServer().getPort() + "/count");
        return client.send(
                        HttpRequest.newBuilder(address)
                                .timeout(Duration.ofSeconds(30))
                                .build(),
                        BodyHandlers.ofString())
                .body();
    }

    private static ServletWebServerApplicationContext application(int redis) {
        return (ServletWebServerApplicationContext) new SpringApplicationBuilder(Application.class)
                .properties(
                        "server.port=0",
                        "spring.redis.port=" + redis,
                        "spring.session.store-type=redis",
                        "spring.main.web-application-type=servlet",
                        "spring.main.banner-mode=off")
                .run();
    }

    @Test
    void areSharedByServersAndOutliveThem() throws Exception {
        try (RedisServer redis = RedisServer.start()) {
            int port = redis.port();
            try (ServletWebServerApplicationContext first = application(port);
                    ServletWebServerApplicationContext second = application(port)) {
                assertEquals("1", count(first));
                assertEquals("2", count(second));
                assertEquals("3", count(first));
            }
            try (ServletWebServerApplicationContext later = application(port)) {
                assertEquals("4", count(later));
            }
        }
    }
}

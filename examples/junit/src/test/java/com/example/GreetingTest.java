package com.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.junit.MillraceTest;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;

/** The application … */
@MillraceTest(webapp = "src/main/webapp")
class GreetingTest {

    private static String get(HttpClient client, URI uri) throws Exception {
        return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    @Test
    void greets(URI base, HttpClient client) throws Exception {
        assertEquals("Hello, you!", get(client, base.resolve("hello?name=you")));
    }

    @Test
    void hasAPage(URI base, HttpClient client) throws Exception {
        assertTrue(get(client, base).contains("<title>Greetings</title>"));
    }
}

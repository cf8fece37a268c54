package io.millrace.websocket.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.http.Headers;
import io.millrace.websocket.WebSocketHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A redirect of a handshake … */
final class RedirectTest {

    private static WebSocketHandshakeException found(String... locations) {
        Headers fields = new Headers();
        for (String location : locations) {
            fields.add("Location", location);
        }
        return new WebSocketHandshakeException("found", 302, fields);
    }

    @ParameterizedTest
    @CsvSource({
        "ws://a.test/x/y, /z, ws://a.test/z",
        "ws://a.test/x/y, z, ws://a.test/x/z",
        "ws://a.test/x/y, ../z, ws://a.test/z",
        "ws://a.test/x/y?q, ?r, ws://a.test/x/y?r",
        "ws://a.test/x, http://b.test:81/y?a=%20b, ws://b.test:81/y?a=%20b",
        "ws://a.test/x, HTTPS://a.test/x, wss://a.test/x",
        "ws://a.test/x, wss://[::1]/x, wss://[::1]/x",
        "wss://a.test/x, //b.test/y, wss://b.test/y",
        "wss://a.test/x, https://b.test/y#part, wss://b.test/y",
    })
    void leadsTo(String from, String location, String to) throws Exception {
        assertEquals(
                to,
                Redirect.of(WebSocketRequest.to(from), found(location)).uri().toString());
    }

    @ParameterizedTest
    @CsvSource({
        "wss://a.test/, http://a.test/",
        "wss://a.test/, ws://a.test/",
        "ws://a.test/, ftp://a.test/",
        "ws://a.test/, javascript:alert(1)",
        "ws://a.test/, http://user:secret@a.test/",
        "ws://a.test/, http:///x",
        "ws://a.test/, 'a b'",
        "ws://a.test/, '%'",
    })
    void isNotFollowed(String from, String location) {
        WebSocketHandshakeException refused = assertThrows(
                WebSocketHandshakeException.class, () -> Redirect.of(WebSocketRequest.to(from), found(location)));
        assertTrue(String.valueOf(refused.getMessage()).contains("302 and a Location"), refused::toString);
    }

    @Test
    void needsOneLocation() {
        WebSocketRequest from = WebSocketRequest.to("ws://a.test/");
        assertThrows(WebSocketHandshakeException.class, () -> Redirect.of(from, found()));
        assertThrows(WebSocketHandshakeException.class, () -> Redirect.of(from, found("/x", "/y")));
    }

    @ParameterizedTest
    @CsvSource({
        "ws://A.test:80/x, true",
        "ws://a.test:81/x, false",
        "wss://a.test/x, false",
        "ws://b.test/x, false",
    })
    void takesSecretsToTheSameServerOnly(String location, boolean kept) throws Exception {
        WebSocketRequest from = WebSocketRequest.to("ws://a.test/")
                .withField("Cookie", "a=b")
                .withField("authorization", "Bearer x")
                .withField("Origin", "http://a.test");
        Headers fields = Redirect.of(from, found(location)).fields();
        assertEquals(kept, fields.contains("Cookie"));
        assertEquals(kept, fields.contains("Authorization"));
        assertTrue(fields.contains("Origin"));
    }
}

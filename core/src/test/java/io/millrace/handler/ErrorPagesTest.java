package io.millrace.handler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.exchange.HttpExchange;
import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.NonBlockingHandler;
import io.millrace.io.Payload;
import io.millrace.protocol.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Error responses … */
class ErrorPagesTest {

    private static final NonBlockingHandler NOT_FOUND = exchange -> Responses.error(exchange, 404);

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "-|text/html;charset=utf-8",
                "*/*|text/html;charset=utf-8",
                "text/plain|text/plain;charset=utf-8",
                "text/plain, text/html;q=0.1|text/plain;charset=utf-8",
                "text/html, text/plain|text/html;charset=utf-8",
                "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8|text/html;charset=utf-8",
                "application/json|application/json",
                "application/problem+json, text/html|application/json",
                "Text/HTML, application/json|text/html;charset=utf-8",
                "image/png|text/html;charset=utf-8",
            })
    void haveTheFormTheClientPrefers(String accept, String type) {
        Asked asked = accept == null ? Asked.get("/x") : Asked.get("/x").header("Accept", accept);
        MemoryStream answer = asked.of(NOT_FOUND);
        assertEquals(404, answer.status());
        assertEquals(type, answer.header("Content-Type"));
        assertEquals(answer.body().length(), answer.contentLength());
    }

    @Test
    void saysWhatTheFormDependsOn() {
        assertEquals("Accept", Asked.get("/x").of(NOT_FOUND).header("Vary"));
        HttpHandler varying = exchange -> {
            exchange.response().headers().add("Vary", "accept");
            Responses.error(exchange, 404);
        };
        assertEquals("accept", Asked.get("/x").of(varying).header("Vary"));
    }

    @Test
    void quotesAReferenceOfAFailureThatIsLogged() {
        String page = Asked.get("/")
                .header("Accept", "text/html")
                .of(ErrorPagesTest::failing)
                .body();
        String json = Asked.get("/")
                .header("Accept", "application/json")
                .of(ErrorPagesTest::failing)
                .body();
        String text = Asked.get("/")
                .header("Accept", "text/plain")
                .of(ErrorPagesTest::failing)
                .body();
        assertTrue(page.matches("(?s).*<code>[0-9A-Z]{8}</code>.*"), page);
        assertTrue(json.matches("\\{\"status\":500,\"message\":\"[^\"]*\",\"reference\":\"[0-9A-Z]{8}\"}\n"), json);
        assertTrue(text.matches("500 The server failed to answer this request\\.\nReference: [0-9A-Z]{8}\n"), text);
        assertFalse((page + json + text).contains("inside"));
    }

    private static void failing(HttpExchange exchange) {
        throw new IllegalStateException("inside");
    }

    @Test
    void sayNothingThatTheClientSent() {
        MemoryStream answer = Asked.get("/<script>alert(1)</script>")
                .header("Accept", "text/html")
                .of(NOT_FOUND);
        assertFalse(answer.body().contains("script"), answer.body());
        assertTrue(answer.body().startsWith("<!DOCTYPE html>"), answer.body());
    }

    @Test
    void sayWhatAFailureHasForClientsAndNothingElseOfIt() {
        ProtocolException forClients = ProtocolException.explained(501, "There is no upgrade.");
        assertEquals("501 There is no upgrade.\n", textFor(forClients));
        assertEquals("501 There is no upgrade.\n", textFor(new UnsupportedOperationException("inside", forClients)));
        String plain = "501 The server does not support what the request asks for.\n";
        assertEquals(plain, textFor(new ProtocolException(501, "inside")));
        assertEquals(plain, textFor(new IllegalStateException("inside")));
        assertEquals(plain, textFor(null));
    }

    private static String textFor(@Nullable Throwable failure) {
        List<String> texts = new ArrayList<>();
        Asked.get("/").header("Accept", "text/plain").of((NonBlockingHandler) exchange -> {
            Payload body = new ErrorPages().body(exchange, 501, failure);
            for (ByteBuffer part : ((Payload.Bytes) body).buffers()) {
                texts.add(StandardCharsets.UTF_8.decode(part).toString());
            }
            Responses.error(exchange, 501);
        });
        return String.join("", texts);
    }

    @Test
    void areJsonThatParses() {
        assertEquals(
                "{\"status\":404,\"message\":\"There is nothing here.\"}\n",
                Asked.get("/")
                        .header("Accept", "application/json")
                        .of(NOT_FOUND)
                        .body());
    }

    @Test
    void canBeReplaced() {
        HttpHandler handler = exchange -> {
            exchange.attributes()
                    .put(
                            Responses.ERRORS,
                            (failed, status, failure) ->
                                    Payload.of(ByteBuffer.wrap("own".getBytes(StandardCharsets.US_ASCII))));
            Responses.error(exchange, 404);
        };
        assertEquals("own", Asked.get("/").of(handler).body());
    }
}

package io.millrace.handler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.exchange.HttpHandler;
import io.millrace.exchange.NonBlockingHandler;
import org.junit.jupiter.api.Test;

/** A whole response … */
class ResponsesTest {

    private static MemoryStream answer(NonBlockingHandler handler) {
        MemoryStream answer = Asked.get("/a?b=c").of(handler);
        assertTrue(answer.isEnded());
        return answer;
    }

    @Test
    void hasItsTextAndItsLengthInBytes() {
        MemoryStream answer = answer(exchange -> Responses.text(exchange, 201, "grün\n"));
        assertEquals(201, answer.status());
        assertEquals("text/plain;charset=utf-8", answer.header("Content-Type"));
        assertEquals("grün\n", answer.body());
        assertEquals(6, answer.contentLength());
    }

    @Test
    void withoutContentAnnouncesNoLength() {
        assertEquals(-1, answer(exchange -> Responses.empty(exchange, 204)).contentLength());
        assertEquals(0, answer(exchange -> Responses.empty(exchange, 200)).contentLength());
    }

    @Test
    void redirects() {
        MemoryStream answer = answer(exchange -> Responses.redirect(exchange, 303, "/next"));
        assertEquals(303, answer.status());
        assertEquals("/next", answer.header("Location"));
    }

    @Test
    void doesNotLetALocationEndItsHeaderField() {
        HttpHandler handler = exchange -> Responses.redirect(exchange, 302, "/a\r\nSet-Cookie: x=y");
        MemoryStream answer = Asked.get("/").of(handler);
        assertEquals(500, answer.status());
        assertNull(answer.header("Location"));
    }

    @Test
    void keepsPathAndQueryWhenASiteHasMoved() {
        MemoryStream moved = answer(RedirectHandler.toSameTarget(308, "https://www.example.org"));
        assertEquals("https://www.example.org/a?b=c", moved.header("Location"));
        assertEquals("/z", answer(RedirectHandler.to(302, "/z")).header("Location"));
    }
}

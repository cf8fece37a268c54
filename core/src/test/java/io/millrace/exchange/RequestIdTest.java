package io.millrace.exchange;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.http.Headers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The id of a request … */
final class RequestIdTest {

    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String PARENT = "00f067aa0ba902b7";

    private static RequestId taken(String name, String... values) {
        Headers headers = new Headers();
        for (String value : values) {
            headers.add(name, value);
        }
        RequestId id = new RequestId();
        id.take(headers);
        return id;
    }

    @Test
    void isMadeAnewForEachRequest() {
        RequestId id = new RequestId();
        assertTrue(id.value().matches("[0-9a-z]{16}"), id.value());
        assertTrue(id.traceparent().matches("00-[0-9a-f]{32}-[0-9a-f]{16}-00"), id.traceparent());
        assertEquals(id.traceparent().substring(3, 35), id.traceId());
        assertEquals(id.value(), id.value());
        assertNotEquals(id.value(), new RequestId().value());
        assertNotEquals(id.traceId(), new RequestId().traceId());
        assertFalse(id.isContinued());
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "aZ09._-", "0123456789012345678901234567890123456789012345678901234567890123"})
    void isTakenOver(String sent) {
        assertEquals(sent, taken("X-Request-ID", sent).value());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "a b",
                "ä",
                "a\u0000",
                "a\"b",
                "<b>",
                "a,b",
                "a/b",
                "01234567890123456789012345678901234567890123456789012345678901234"
            })
    void isNotTakenOverIfItIsMalformed(String sent) {
        assertTrue(taken("X-Request-Id", sent).value().matches("[0-9a-z]{16}"));
    }

    @Test
    void isNotTakenOverFromSeveralFields() {
        assertTrue(taken("X-Request-Id", "one", "one").value().matches("[0-9a-z]{16}"));
        String trace = "00-" + TRACE + "-" + PARENT + "-01";
        assertNotEquals(TRACE, taken("traceparent", trace, trace).traceId());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "00-" + TRACE + "-" + PARENT + "-01",
                "01-" + TRACE + "-" + PARENT + "-01",
                "cc-" + TRACE + "-" + PARENT + "-01-what-the-future-adds"
            })
    void continuesATraceWithParentsOfItsOwn(String sent) {
        RequestId id = taken("Traceparent", sent);
        assertTrue(id.isContinued());
        assertEquals(TRACE, id.traceId());
        assertTrue(id.traceparent().matches("00-" + TRACE + "-[0-9a-f]{16}-01"), id.traceparent());
        assertTrue(id.nextTraceparent().matches("00-" + TRACE + "-[0-9a-f]{16}-01"), id.nextTraceparent());
        assertFalse(id.traceparent().contains(PARENT));
        assertNotEquals(id.traceparent(), id.nextTraceparent());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "00",
                "ff-" + TRACE + "-" + PARENT + "-01",
                "0g-" + TRACE + "-" + PARENT + "-01",
                "00-" + TRACE + "-" + PARENT + "-01-more",
                "01-" + TRACE + "-" + PARENT + "-01more",
                "00-" + TRACE + "-" + PARENT + "-0",
                "00-" + TRACE + "-" + PARENT + "-0x",
                "00-" + TRACE + "-" + PARENT,
                "00_" + TRACE + "-" + PARENT + "-01",
                "00-4BF92F3577b34da6a3ce929d0e0e4736-" + PARENT + "-01",
                "00-00000000000000000000000000000000-" + PARENT + "-01",
                "00-" + TRACE + "-0000000000000000-01",
                "00-" + TRACE + "0-" + PARENT + "-1"
            })
    void beginsATraceInPlaceOfAMalformedOne(String sent) {
        RequestId id = taken("traceparent", sent);
        assertFalse(id.isContinued());
        assertNotEquals(TRACE, id.traceId());
    }

    @Test
    void isThatOfTheThreadWhileATaskRuns() {
        RequestId outer = new RequestId();
        RequestId inner = new RequestId();
        outer.carriedBy(() -> {
                    assertSame(outer, RequestId.current());
                    inner.carriedBy(() -> assertSame(inner, RequestId.current()))
                            .run();
                    assertSame(outer, RequestId.current());
                })
                .run();
        assertNull(RequestId.current());
    }
}

package io.millrace.handler;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A handler of forms … */
class FormHandlerTest {

    private final FormHandler form =
            FormHandler.of((exchange, fields) -> Responses.text(exchange, 200, fields.names() + " " + fields.all("a")));

    @Test
    void readsTheQuery() {
        assertEquals("[a, b] [1 2, ]", Asked.get("/?a=1+2&b=%41&&a=&").of(form).body());
    }

    @ParameterizedTest
    @ValueSource(strings = {"a=1&a=%4", "a=%zz", "%=1", "a=1&=2"})
    void refusesWhatItWouldHaveToLeaveOut(String query) {
        assertEquals(400, Asked.get("/?" + query).of(form).status());
    }
}

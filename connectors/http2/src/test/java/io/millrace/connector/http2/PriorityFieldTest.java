package io.millrace.connector.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.millrace.protocol.mux.Priority;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PriorityFieldTest {

    @ParameterizedTest
    @CsvSource({
        "'', u=3",
        "u=0, u=0",
        "'u=7,i', 'u=7, i'",
        "'i, u=2', 'u=2, i'",
        "i=?0, u=3",
        "i=?1, 'u=3, i'",
        "'i;x=y, u=1;z', 'u=1, i'",
        "u=8, u=3",
        "u=-1, u=3",
        "u=10, u=3",
        "'u=5, own=\"text\"', u=5",
    })
    void reads(String value, String priority) {
        assertEquals(priority, String.valueOf(PriorityField.parse(value)));
    }

    @Test
    void saysNothingIfItIsMalformed() {
        assertNull(PriorityField.parse("u=1,,i"));
        assertNull(PriorityField.parse("u=1,"));
        assertEquals(Priority.of(3, false), PriorityField.parse(" "));
    }
}

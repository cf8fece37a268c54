package io.millrace.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.fuzz.Growth;
import io.millrace.http.Headers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Hop-by-hop fields … */
final class HopByHopTest {

    /** In a short Connection field and in a long one. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1_000})
    void areThoseThatConnectionNamesButForSomeThatBackendsDecideBy(int others) {
        Headers fields =
                new Headers().add("Connection", "close, \tX-Own ,cookie").add("connection", ",a".repeat(others));
        HopByHop own = new HopByHop(fields);
        assertTrue(own.contains("x-own"));
        assertTrue(own.contains("Transfer-Encoding"));
        assertFalse(own.contains("X-Other"));
        assertFalse(own.contains("Cookie"));
        assertEquals(others > 0, own.contains("A"));
    }

    @Test
    void areFoundInLinearTime() {
        Growth.assertLinear(5_000, HopByHopTest::fields, fields -> {
            HopByHop own = new HopByHop(fields);
            for (int i = 0; i < fields.size(); i++) {
                own.contains(fields.name(i));
            }
        });
    }

    private static Headers fields(int count) {
        Headers fields = new Headers().add("Connection", "a,".repeat(count));
        for (int i = 0; i < count; i++) {
            fields.add("b", "");
        }
        return fields;
    }
}

package io.millrace.protocol.mux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.junit.jupiter.api.Test;

class FieldValueTest {

    @Test
    void staysOneValidValue() {
        String clean = "a b\té";
        assertSame(clean, FieldValue.clean(clean));
        assertEquals("a  b", FieldValue.clean("a\r\nb"));
        assertEquals("a", FieldValue.clean(" \ta\0"));
        assertEquals("a?", FieldValue.clean("a€"));
        assertEquals("", FieldValue.clean("\t"));
    }
}

package io.millrace.standalone.config.connector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The port where nothing says one … */
final class DefaultPortTest {

    @Test
    void isThatOfTheEnvironment() {
        assertEquals(8080, DefaultPort.of(null, 8080));
        assertEquals(8080, DefaultPort.of(" ", 8080));
        assertEquals(0, DefaultPort.of("0", 8080));
        assertEquals(65_535, DefaultPort.of(" 65535 ", 8080));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "65536", "http", "4294967296"})
    void isRefusedIfTheEnvironmentSaysNone(String variable) {
        Exception refused = assertThrows(IllegalArgumentException.class, () -> DefaultPort.of(variable, 8080));
        assertEquals("MILLRACE_HTTP_PORT=" + variable + ": expected a number from 0 to 65535", refused.getMessage());
    }
}

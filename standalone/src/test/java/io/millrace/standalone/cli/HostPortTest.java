package io.millrace.standalone.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An address of an operator … */
final class HostPortTest {

    @ParameterizedTest
    @CsvSource({
        "app1:8990, app1, 8990",
        "app-1.example.com:0, app-1.example.com, 0",
        "127.0.0.1:8990, 127.0.0.1, 8990",
        "localhost:65535, localhost, 65535",
        "[::1]:8990, ::1, 8990",
        "[2001:db8::7]:80, 2001:db8::7, 80",
        "[::ffff:10.0.0.1]:80, ::ffff:10.0.0.1, 80"
    })
    void isAHostAndAPort(String text, String host, int port) {
        assertEquals(new HostPort(host, port), HostPort.parse(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ":",
                "8990",
                ":8990",
                "app1",
                "app1:",
                "app1:x",
                "app1:-1",
                "app1:+1",
                "app1:65536",
                "app1:080000",
                "app1:8990 ",
                " app1:8990",
                "app1: 8990",
                "app1:8990/",
                "app1:8990:1",
                "http://app1:8990",
                "ada@app1:8990",
                "ada:x@app1:8990",
                "a\r\nb:8990",
                "::1",
                "::1:8990",
                "2001:db8::7:80",
                "[::1]",
                "[::1]:",
                "[::1]8990",
                "[::1:8990",
                "::1]:8990",
                "[app1]:8990",
                "[]:8990",
                "[::1]:x"
            })
    void isNothingElse(String text) {
        assertNull(HostPort.parse(text));
    }
}

package io.millrace.websocket.jsr.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.settings.Setting;
import io.millrace.websocket.WebSocketOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import javax.websocket.server.ServerContainer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The context parameters of endpoints … */
final class ContextParametersTest {

    private static final String OURS = "io.millrace.websocket.";

    private static EndpointServer server(String name, String value) throws Exception {
        return EndpointServer.of(container -> {}, app -> app.initParameter(name, value));
    }

    @Test
    void areInTheGuideWithTheirDefaults() throws Exception {
        Map<String, String> declared = new TreeMap<>();
        for (Setting<?> setting : WebSocketOptions.all()) {
            declared.put(setting.name(), String.valueOf(setting.xmlDefault()));
        }
        Map<String, String> guide = new TreeMap<>();
        for (String line : Files.readAllLines(Path.of("../docs/guide/websocket-endpoints.md"))) {
            String[] cells = line.split(" *\\| *", -1);
            if (cells.length > 3 && (cells[1].contains(OURS) || cells[1].contains("BufferSize"))) {
                guide.put(cells[1].replace("`", ""), cells[2]);
            }
        }
        assertEquals(declared, guide);
    }

    @ParameterizedTest
    @CsvSource({
        "org.apache.tomcat.websocket.textBufferSize, -1, 'textBufferSize is \"-1\"; expected a number from 0'",
        "org.apache.tomcat.websocket.binaryBufferSize, 4294967296, 'binaryBufferSize is \"4294967296\"; expected'",
        "io.millrace.websocket.maxFrames, 0, 'maxFrames is \"0\"; expected a number from 1'",
        "io.millrace.websocket.sendTimeout, soon, 'sendTimeout is \"soon\"; expected a number from -1'",
        "io.millrace.websocket.closeTimeout, 0, 'closeTimeout is \"0\"; expected a number of milliseconds from 1'",
        "io.millrace.websocket.deflate, on, 'deflate is \"on\"; expected one of off, no-context-takeover, context-'",
        "io.millrace.websocket.maxFrame, 5, 'maxFrame is unknown; expected one of io.millrace.websocket.closeTimeout,'",
    })
    void stopTheApplicationIfTheyMeanNothing(String name, String value, String message) {
        Throwable cause =
                assertThrows(Exception.class, () -> server(name, value).close());
        while (cause.getCause() != null && !String.valueOf(cause.getMessage()).contains(message)) {
            cause = cause.getCause();
        }
        assertTrue(String.valueOf(cause.getMessage()).contains(message), cause::toString);
    }

    @ParameterizedTest
    @CsvSource({
        "org.apache.tomcat.websocket.textBufferSize, 5, 5, 65536, 0",
        "org.apache.tomcat.websocket.binaryBufferSize, ' 7 ', 65536, 7, 0",
        "io.millrace.websocket.idleTimeout, 1500, 65536, 65536, 1500",
    })
    void areTheDefaultsOfSessions(String name, String value, int text, int binary, long idle) throws Exception {
        try (EndpointServer server = server(name, value)) {
            ServerContainer container = server.container();
            assertEquals(text, container.getDefaultMaxTextMessageBufferSize());
            assertEquals(binary, container.getDefaultMaxBinaryMessageBufferSize());
            assertEquals(idle, container.getDefaultMaxSessionIdleTimeout());
            container.setDefaultMaxSessionIdleTimeout(-5);
            container.setDefaultMaxTextMessageBufferSize(9);
            container.setAsyncSendTimeout(3);
            assertEquals(0, container.getDefaultMaxSessionIdleTimeout());
            assertEquals(9, container.getDefaultMaxTextMessageBufferSize());
            assertEquals(3, container.getDefaultAsyncSendTimeout());
        }
    }
}

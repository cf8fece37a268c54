package io.millrace.connector.apr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The transport … */
final class AvailabilityTest {

    private static final int JAVA_17 = 61;
    private static final int CLASS_FILE = 0xCAFEBABE;

    @Test
    void namesTheVersionItFound() {
        String said = new AprTransportProvider().describe();
        assertTrue(Pattern.matches("APR 1\\.\\d+\\.\\d+", said), said);
    }

    /** The classes that an older Java loads before it finds that it cannot use the others. */
    @ParameterizedTest
    @ValueSource(strings = {"module-info.class", "io/millrace/connector/apr/AprTransportProvider.class"})
    void canBeReadByJava17(String file) throws IOException {
        try (InputStream in = open(file);
                DataInputStream data = new DataInputStream(in)) {
            assertEquals(CLASS_FILE, data.readInt());
            assertEquals(0, data.readUnsignedShort());
            assertEquals(JAVA_17, data.readUnsignedShort());
        }
    }

    private static InputStream open(String file) throws IOException {
        Path classes = Path.of(AprTransportProvider.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath());
        return java.nio.file.Files.newInputStream(classes.resolve(file));
    }
}

package io.millrace.tls.openssl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.tls.TlsImplementation;
import io.millrace.tls.material.TlsProviders;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** TLS by OpenSSL … */
final class OpenSslProviderTest {

    private static final int JAVA_17 = 61;
    private static final int CLASS_FILE = 0xCAFEBABE;

    @Test
    void namesTheVersionItFound() {
        String said = TlsProviders.describe(TlsImplementation.OPENSSL);
        assertTrue(Pattern.matches("OpenSSL 3\\.\\d+\\.\\d+", said), said);
    }

    @Test
    void isWhatAutoComesToWhereTheLibraryIs() {
        assertEquals(TlsProviders.describe(TlsImplementation.OPENSSL), TlsProviders.describe(TlsImplementation.AUTO));
    }

    /** The classes that an older Java loads before it finds that it cannot use the others. */
    @ParameterizedTest
    @ValueSource(strings = {"module-info.class", "io/millrace/tls/openssl/OpenSslProvider.class"})
    void canBeReadByJava17(String file) throws IOException {
        Path classes = Path.of(OpenSslProvider.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath());
        try (DataInputStream data = new DataInputStream(Files.newInputStream(classes.resolve(file)))) {
            assertEquals(CLASS_FILE, data.readInt());
            assertEquals(0, data.readUnsignedShort());
            assertEquals(JAVA_17, data.readUnsignedShort());
        }
    }
}

package io.millrace.connector.ajp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.http.EncodedSlash;
import io.millrace.protocol.ProtocolProvider;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The protocol that server.xml names … */
class AjpProtocolProviderTest {

    @Test
    void isFoundByItsName() {
        assertTrue(ServiceLoader.load(ProtocolProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .anyMatch(provider -> provider.name().equals("ajp") && provider instanceof AjpProtocolProvider));
    }

    @Test
    void isAsEachAttributeSays() {
        AjpOptions options = options(Map.ofEntries(
                Map.entry("secret", "s"),
                Map.entry("secretRequired", "true"),
                Map.entry("allowedRequestAttributesPattern", "shop\\..*"),
                Map.entry("tomcatAuthentication", "false"),
                Map.entry("tomcatAuthorization", "true"),
                Map.entry("ajpFlush", "false"),
                Map.entry("packetSize", "20000"),
                Map.entry("maxHeaderCount", "7"),
                Map.entry("connectionTimeout", "1500"),
                Map.entry("keepAliveTimeout", "2500"),
                Map.entry("encodedSolidusHandling", "decode"),
                Map.entry("URIEncoding", "ISO-8859-1"),
                Map.entry("maxThreads", "3")));
        assertEquals("s", options.secret());
        assertTrue(Objects.requireNonNull(options.allowedRequestAttributesPattern())
                .matcher("shop.note")
                .matches());
        assertFalse(options.tomcatAuthentication());
        assertTrue(options.tomcatAuthorization());
        assertFalse(options.ajpFlush());
        assertEquals(20_000, options.packetSize());
        assertEquals(7, options.maxHeaderCount());
        assertEquals(Duration.ofMillis(1500), options.connectionTimeout());
        assertEquals(Duration.ofMillis(2500), options.keepAliveTimeout());
        assertEquals(EncodedSlash.DECODE, options.encodedSolidusHandling());
        assertEquals(StandardCharsets.ISO_8859_1, options.pathCharset());
    }

    @Test
    void isWhatTomcatsIsWhereNothingIsSaid() {
        AjpOptions options = options(Map.of("secret", "s"));
        assertNull(options.allowedRequestAttributesPattern());
        assertTrue(options.tomcatAuthentication());
        assertFalse(options.tomcatAuthorization());
        assertTrue(options.ajpFlush());
        assertEquals(8192, options.packetSize());
        assertEquals(100, options.maxHeaderCount());
        assertEquals(Duration.ZERO, options.connectionTimeout());
        assertEquals(EncodedSlash.REJECT, options.encodedSolidusHandling());
        assertEquals(StandardCharsets.UTF_8, options.pathCharset());
    }

    @ParameterizedTest
    @CsvSource({"1, 8192", "8192, 8192", "65536, 65536", "100000, 65536"})
    void hasThePacketSizeThatIsNearest(String said, int taken) {
        assertEquals(taken, options(Map.of("secret", "s", "packetSize", said)).packetSize());
    }

    @Test
    void waitsForEverAndTakesAnyNumberOfFieldsByMinusOne() {
        AjpOptions options = options(
                Map.of("secret", "s", "connectionTimeout", "-1", "keepAliveTimeout", "-1", "maxHeaderCount", "-1"));
        assertEquals(Duration.ZERO, options.connectionTimeout());
        assertEquals(Duration.ZERO, options.keepAliveTimeout());
        assertEquals(Integer.MAX_VALUE, options.maxHeaderCount());
    }

    @Test
    void knowsTheOldNameOfTheSecret() {
        assertEquals("old", options(Map.of("requiredSecret", "old")).secret());
    }

    @Test
    void isNotMadeWithoutASecretUnlessThatIsWanted() {
        assertThrows(IllegalArgumentException.class, () -> options(Map.of()));
        assertThrows(IllegalArgumentException.class, () -> options(Map.of("secret", "")));
        assertNull(options(Map.of("secretRequired", "false")).secret());
    }

    private static AjpOptions options(Map<String, String> attributes) {
        return assertInstanceOf(AjpProtocol.class, new AjpProtocolProvider().create("http", attributes))
                .options();
    }
}

package io.millrace.connector.ajp;

import static io.millrace.connector.ajp.AjpOptions.PACKET_SIZE;
import static io.millrace.connector.ajp.AjpOptions.REQUIRED_SECRET;
import static io.millrace.connector.ajp.AjpOptions.SECRET;
import static io.millrace.connector.ajp.AjpOptions.SECRET_REQUIRED;
import static io.millrace.protocol.ProtocolOptions.CONNECTION_TIMEOUT;
import static io.millrace.protocol.ProtocolOptions.KEEP_ALIVE_TIMEOUT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.protocol.ProtocolProvider;
import io.millrace.settings.Setting;
import io.millrace.settings.Settings;
import java.time.Duration;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The protocol of server.xml … */
class AjpProtocolProviderTest {

    @Test
    void isFoundByItsName() {
        assertTrue(ServiceLoader.load(ProtocolProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .anyMatch(provider -> provider.name().equals("ajp") && provider instanceof AjpProtocolProvider));
    }

    @ParameterizedTest
    @CsvSource({"1, 8192", "8192, 8192", "65536, 65536", "100000, 65536"})
    void hasThePacketSizeThatIsNearest(String said, int taken) {
        assertEquals(taken, Settings.DEFAULTS.withText(PACKET_SIZE, said).get(PACKET_SIZE));
    }

    @Test
    void waitsForEverUnlessATimeIsSet() {
        assertEquals(Duration.ZERO, AjpOptions.connectionTimeout(Settings.DEFAULTS));
        assertEquals(Duration.ZERO, AjpOptions.keepAliveTimeout(Settings.DEFAULTS));
        Settings timed = Settings.DEFAULTS.with(CONNECTION_TIMEOUT, Duration.ofSeconds(2));
        assertEquals(Duration.ofSeconds(2), AjpOptions.connectionTimeout(timed));
        assertEquals(Duration.ofSeconds(2), AjpOptions.keepAliveTimeout(timed));
        assertEquals(
                Duration.ofSeconds(3),
                AjpOptions.keepAliveTimeout(timed.with(KEEP_ALIVE_TIMEOUT, Duration.ofSeconds(3))));
    }

    @Test
    void declaresTheAttributesOfServerXml() {
        assertEquals(
                List.of(
                        "secret",
                        "requiredSecret",
                        "secretRequired",
                        "allowedRequestAttributesPattern",
                        "tomcatAuthentication",
                        "tomcatAuthorization",
                        "packetSize",
                        "ajpFlush"),
                new AjpProtocolProvider().settings().stream().map(Setting::name).toList());
    }

    @Test
    void knowsTheOldNameOfTheSecret() {
        assertEquals("old", AjpOptions.secret(protocol(Settings.DEFAULTS.with(REQUIRED_SECRET, "old"))));
    }

    @Test
    void isNotMadeWithoutASecretUnlessThatIsWanted() {
        assertThrows(IllegalArgumentException.class, () -> protocol(Settings.DEFAULTS));
        assertThrows(IllegalArgumentException.class, () -> protocol(Settings.DEFAULTS.with(SECRET, "")));
        assertEquals("", AjpOptions.secret(protocol(Settings.DEFAULTS.with(SECRET_REQUIRED, false))));
    }

    private static Settings protocol(Settings settings) {
        return assertInstanceOf(AjpProtocol.class, new AjpProtocolProvider().create("http", settings))
                .options();
    }
}

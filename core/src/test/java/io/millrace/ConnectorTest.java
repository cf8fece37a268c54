package io.millrace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.io.BufferPool;
import io.millrace.io.Timers;
import io.millrace.io.TransportOptions;
import io.millrace.net.AddressSet;
import io.millrace.proxyprotocol.ProxyProtocol;
import io.millrace.settings.Settings;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import org.junit.jupiter.api.Test;

/** A connector … */
class ConnectorTest {

    @Test
    void hasTomcatsDefaults() {
        BufferPool buffers = new BufferPool(1 << 20);
        try (Timers timers = new Timers("test")) {
            Connector connector = Connector.builder().build();
            TransportOptions options = connector.transportOptions(buffers, timers);
            assertEquals(
                    new TransportOptions("nio-8080", Settings.DEFAULTS, buffers, timers, options.meter()), options);
            assertEquals("http", connector.scheme());
            assertFalse(connector.secure());
        }
    }

    @Test
    void handsItsSettingsToTheTransport() {
        BufferPool buffers = new BufferPool(1 << 20);
        try (Timers timers = new Timers("test")) {
            TransportOptions options = Connector.builder()
                    .name("front")
                    .with(TransportOptions.ACCEPT_COUNT, 5)
                    .build()
                    .transportOptions(buffers, timers);
            assertEquals("front", options.name());
            assertEquals(5, options.get(TransportOptions.ACCEPT_COUNT));
        }
    }

    @Test
    void isNotBuiltIfItExpectsHeadersOfFrontEndsAndTrustsNone() {
        var builder = Connector.builder().with(ProxyProtocol.PRESENCE, ProxyProtocol.Presence.OPTIONAL);
        assertThrows(IllegalArgumentException.class, builder::build);
        builder.with(ProxyProtocol.TRUSTED, AddressSet.parse("10.0.0.0/8")).build();
    }

    @Test
    void namesTheSettingThatIsOutOfRange() {
        var builder = Connector.builder();
        var failure = assertThrows(IllegalArgumentException.class, () -> builder.port(65_536));
        assertEquals("port is 65536; expected a value from 0 to 65535", failure.getMessage());
        assertThrows(IllegalArgumentException.class, () -> builder.with(ConnectorOptions.SCHEME, "gopher"));
        failure = assertThrows(IllegalArgumentException.class, () -> builder.with(TransportOptions.ACCEPT_COUNT, 0));
        assertEquals("acceptCount is 0; expected a number from 1 to 2147483647", failure.getMessage());
    }

    /** As in metrics and MBeans, where two of one name would be added up, or only one of them shown. */
    @Test
    void hasANameOfItsOwnAtEachAddress() {
        Connector connector = Connector.builder().transport("nio").build();
        assertEquals("http-nio-8080", ConnectorState.name(connector, new InetSocketAddress(8080)));
        assertEquals("http-nio-/run/a/s", ConnectorState.name(connector, UnixDomainSocketAddress.of("/run/a/s")));
        assertEquals("http-nio-/run/b/s", ConnectorState.name(connector, UnixDomainSocketAddress.of("/run/b/s")));
    }
}

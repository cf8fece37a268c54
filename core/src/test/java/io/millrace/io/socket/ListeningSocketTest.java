package io.millrace.io.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.io.BufferPool;
import io.millrace.io.InheritedAddress;
import io.millrace.io.Timers;
import io.millrace.io.TransportOptions;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.UnsupportedAddressTypeException;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ListeningSocketTest {

    private final TransportOptions options =
            TransportOptions.defaults("test", new BufferPool(1), new Timers("test-timers"));

    @Test
    void refusesWhatIsNoPort() {
        for (SocketAddress other : List.of(InheritedAddress.INSTANCE, UnixDomainSocketAddress.of("never-created"))) {
            assertThrows(UnsupportedAddressTypeException.class, () -> ListeningSocket.onPort(other, options));
        }
    }

    @Test
    void namesAnAddressThatIsTaken() throws Exception {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (ServerSocketChannel first = ListeningSocket.onPort(any, options)) {
            SocketAddress taken = first.getLocalAddress();
            BindException refused = assertThrows(BindException.class, () -> ListeningSocket.onAny(taken, options));
            assertTrue(String.valueOf(refused.getMessage()).contains(taken.toString()), refused::toString);
        }
    }

    @Test
    void namesAHostThatIsUnknown() {
        InetSocketAddress unknown = InetSocketAddress.createUnresolved("no.such.host.invalid", 0);
        BindException refused = assertThrows(BindException.class, () -> ListeningSocket.onPort(unknown, options));
        assertEquals("cannot listen on no.such.host.invalid: unknown host", refused.getMessage());
    }

    @Test
    void saysThatThereIsNoInheritedSocket() {
        BindException refused =
                assertThrows(BindException.class, () -> ListeningSocket.onAny(InheritedAddress.INSTANCE, options));
        assertTrue(String.valueOf(refused.getMessage()).contains("standard input"), refused::toString);
    }
}

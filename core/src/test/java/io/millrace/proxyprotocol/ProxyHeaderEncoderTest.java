package io.millrace.proxyprotocol;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** Headers of the PROXY protocol … */
final class ProxyHeaderEncoderTest {

    private static final String SIGNATURE = "0d0a0d0a000d0a515549540a";

    private static SocketAddress address(String host, int port) throws Exception {
        return new InetSocketAddress(InetAddress.getByName(host), port);
    }

    private static void assertHeader(String expected, ByteBuffer header) {
        byte[] bytes = new byte[header.remaining()];
        header.get(bytes);
        assertEquals(SIGNATURE + expected, HexFormat.of().formatHex(bytes));
    }

    @Test
    void haveTwoAddressesOfOneKind() throws Exception {
        assertHeader(
                "2111000cc6336407c0000201126701bb",
                ProxyHeaderEncoder.encode(address("198.51.100.7", 4711), address("192.0.2.1", 443)));
        assertHeader(
                "2121002420010db80000000000000000000000010000000000000000000000000000000112670050",
                ProxyHeaderEncoder.encode(address("2001:db8::1", 4711), address("::1", 80)));
        assertHeader(
                "21210024" + "00000000000000000000ffffc6336407" + "00000000000000000000000000000001" + "ffff0050",
                ProxyHeaderEncoder.encode(address("198.51.100.7", 65535), address("::1", 80)));
    }

    @Test
    void nameNobodyWhereNothingIsKnown() throws Exception {
        assertHeader("20000000", ProxyHeaderEncoder.local());
        assertHeader(
                "20000000", ProxyHeaderEncoder.encode(UnixDomainSocketAddress.of("/run/x"), address("192.0.2.1", 443)));
    }
}

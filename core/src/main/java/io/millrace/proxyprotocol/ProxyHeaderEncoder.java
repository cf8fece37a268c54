package io.millrace.proxyprotocol;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Encodes headers of the PROXY protocol, version 2 (its specification, 2.2), without further fields. Stateless. */
public final class ProxyHeaderEncoder {

    private static final byte[] SIGNATURE = {0x0d, 0x0a, 0x0d, 0x0a, 0x00, 0x0d, 0x0a, 0x51, 0x55, 0x49, 0x54, 0x0a};
    private static final byte LOCAL = 0x20;
    private static final byte PROXY = 0x21;
    private static final byte TCP_OVER_IPV4 = 0x11;
    private static final byte TCP_OVER_IPV6 = 0x21;
    private static final int IPV4 = 4;
    private static final int IPV6 = 16;

    private ProxyHeaderEncoder() {}

    /**
     * The header of a connection for a client. If one of the addresses is not an IP address, the header is that of {@link #local}. An
     * IPv4 address is mapped to IPv6 if the other one is an IPv6 address (RFC 4291, 2.5.5.2).
     *
     * @param client the client's address
     * @param server the address to which the client connected
     */
    public static ByteBuffer encode(SocketAddress client, SocketAddress server) {
        InetAddress from = ip(client);
        InetAddress to = ip(server);
        if (from == null || to == null) {
            return local();
        }
        boolean short4 = from.getAddress().length == IPV4 && to.getAddress().length == IPV4;
        int length = short4 ? IPV4 : IPV6;
        ByteBuffer header = begin(PROXY, short4 ? TCP_OVER_IPV4 : TCP_OVER_IPV6, 2 * length + 4);
        put(header, from, length);
        put(header, to, length);
        header.putShort((short) ((InetSocketAddress) client).getPort());
        header.putShort((short) ((InetSocketAddress) server).getPort());
        return header.flip();
    }

    /** The header of a connection without a client, such as a health check. */
    public static ByteBuffer local() {
        return begin(LOCAL, (byte) 0, 0).flip();
    }

    private static ByteBuffer begin(byte command, byte family, int length) {
        return ByteBuffer.allocate(SIGNATURE.length + 4 + length)
                .put(SIGNATURE)
                .put(command)
                .put(family)
                .putShort((short) length);
    }

    private static void put(ByteBuffer header, InetAddress address, int length) {
        byte[] bytes = address.getAddress();
        if (bytes.length < length) {
            header.putLong(0).putShort((short) 0).putShort((short) 0xffff);
        }
        header.put(bytes);
    }

    private static @Nullable InetAddress ip(SocketAddress address) {
        return address instanceof InetSocketAddress inet ? inet.getAddress() : null;
    }
}

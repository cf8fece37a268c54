package io.millrace.net;

import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * The network of one client, for limits that apply to each client: an IPv4 address, or the first 64 bits of an IPv6 address, since
 * a subscriber is assigned at least that many addresses (RFC 6177) and could otherwise use another one for each request.
 */
public final class ClientNetwork {

    private static final int IPV4_LENGTH = 4;

    private ClientNetwork() {}

    /** A number for each network; the same for all addresses of an IPv6 network of 64 bits. 0 for a client without an address. */
    public static long of(@Nullable InetAddress address) {
        if (address == null) {
            return 0;
        }
        byte[] bytes = address.getAddress();
        int length = Math.min(bytes.length, Long.BYTES);
        long network = 0;
        for (int i = 0; i < length; i++) {
            network = network << Byte.SIZE | bytes[i] & 0xff;
        }
        return network; // no global IPv6 network begins with 32 zero bits, so none is equal to an IPv4 address
    }

    /**
     * The same as a text: an IPv4 address, or the first 64 bits of an IPv6 address in hexadecimal digits.
     *
     * @param address a text that is returned as it is if it is not an IPv6 address
     */
    public static String of(String address) {
        if (address.indexOf(':') < 0) {
            return address;
        }
        InetAddress parsed = IpLiteral.parse(IpLiteral.withoutScope(address));
        return parsed == null
                ? address
                : parsed.getAddress().length == IPV4_LENGTH
                        ? parsed.getHostAddress()
                        : Long.toHexString(of(parsed)) + "::/64";
    }
}

package io.millrace.net;

import java.net.InetAddress;

/** A range of addresses with a common prefix (RFC 4632), of one address family. */
record Cidr(InetAddress first, int bits) {

    private static final int IPV4_BITS = 32;
    private static final int IPV6_BITS = 128;

    /**
     * Parses a range such as {@code 10.0.0.0/8} or {@code fd00::/8}, or a single address.
     *
     * @throws IllegalArgumentException with what was expected
     */
    static Cidr parse(String text) {
        int slash = text.indexOf('/');
        InetAddress first = IpLiteral.parse(slash < 0 ? text : text.substring(0, slash));
        if (first == null) {
            throw new IllegalArgumentException("\"" + text + "\" is not an address; expected one such as 10.0.0.1, or a"
                    + " range such as 10.0.0.0/8 or fd00::/8");
        }
        int max = Byte.SIZE * first.getAddress().length;
        int bits = slash < 0 ? max : IpLiteral.parsePort(text.substring(slash + 1));
        if (slash >= 0 && max == IPV4_BITS && text.indexOf(':') >= 0) {
            bits -= IPV6_BITS - IPV4_BITS; // Java represents ::ffff:10.0.0.0/104 as the IPv4 range 10.0.0.0/8
        }
        if (bits < 0 || bits > max) {
            throw new IllegalArgumentException("\"" + text + "\" is not an address range; expected a number from 0 to "
                    + max + " after the slash");
        }
        return new Cidr(first, bits);
    }

    boolean contains(InetAddress address) {
        byte[] prefix = first.getAddress();
        byte[] other = address.getAddress();
        if (prefix.length != other.length) {
            return false;
        }
        int whole = bits / Byte.SIZE;
        for (int i = 0; i < whole; i++) {
            if (prefix[i] != other[i]) {
                return false;
            }
        }
        int rest = bits % Byte.SIZE;
        return rest == 0 || ((prefix[whole] ^ other[whole]) & 0xff) >> (Byte.SIZE - rest) == 0;
    }

    @Override
    public String toString() {
        return first.getHostAddress() + "/" + bits;
    }
}

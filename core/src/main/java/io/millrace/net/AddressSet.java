package io.millrace.net;

import io.millrace.settings.SettingType;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * A set of peer addresses, such as those of trusted front ends. Immutable.
 *
 * @see #parse for the syntax
 */
public final class AddressSet {

    /** The type of settings whose values are address sets. */
    public static final SettingType<AddressSet> TYPE = SettingType.parsed(
            "addresses and ranges with commas between, such as 10.0.0.0/8,fd00::/8", AddressSet::parse);

    /** Matches every peer on a Unix domain socket; such peers have no address. */
    private static final String UNIX = "unix:";

    private final List<Cidr> ranges;
    private final boolean unix;

    private AddressSet(List<Cidr> ranges, boolean unix) {
        this.ranges = List.copyOf(ranges);
        this.unix = unix;
    }

    /**
     * Parses addresses and ranges that are separated by commas or white space: {@code 10.0.0.0/8, 192.168.1.7,
     * fd00::/8}. {@code unix:} matches all peers on Unix domain sockets. Host names are not supported.
     *
     * @throws IllegalArgumentException if an entry is neither; the message names it
     */
    public static AddressSet parse(String list) {
        List<Cidr> ranges = new ArrayList<>();
        boolean unix = false;
        for (String entry : list.strip().split("[\\s,]+", -1)) {
            if (entry.equals(UNIX)) {
                unix = true;
            } else if (!entry.isEmpty()) {
                ranges.add(Cidr.parse(entry));
            }
        }
        return new AddressSet(ranges, unix);
    }

    public boolean contains(InetAddress address) {
        for (Cidr range : ranges) {
            if (range.contains(address)) {
                return true;
            }
        }
        return false;
    }

    public boolean contains(SocketAddress peer) {
        if (peer instanceof InetSocketAddress inet) {
            return inet.getAddress() != null && contains(inet.getAddress());
        }
        return unix && peer instanceof UnixDomainSocketAddress;
    }

    public boolean isEmpty() {
        return ranges.isEmpty() && !unix;
    }

    /** The set in the syntax of {@link #parse}. */
    @Override
    public String toString() {
        List<String> entries =
                new ArrayList<>(ranges.stream().map(Cidr::toString).toList());
        if (unix) {
            entries.add(UNIX);
        }
        return String.join(",", entries);
    }

    /** A range of addresses with a common prefix (RFC 4632), of one address family. */
    private record Cidr(InetAddress first, int bits) {

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
                throw new IllegalArgumentException(
                        "\"" + text + "\" is not an address; expected one such as 10.0.0.1, or a"
                                + " range such as 10.0.0.0/8 or fd00::/8");
            }
            int max = Byte.SIZE * first.getAddress().length;
            int bits = slash < 0 ? max : IpLiteral.parsePort(text.substring(slash + 1));
            if (slash >= 0 && max == IPV4_BITS && text.indexOf(':') >= 0) {
                bits -= IPV6_BITS - IPV4_BITS; // Java represents ::ffff:10.0.0.0/104 as the IPv4 range 10.0.0.0/8
            }
            if (bits < 0 || bits > max) {
                throw new IllegalArgumentException("\"" + text
                        + "\" is not an address range; expected a number from 0 to " + max + " after the slash");
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
}

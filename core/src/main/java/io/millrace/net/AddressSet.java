package io.millrace.net;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * Peers by their address, such as the front ends that may say whom they speak for. Immutable.
 *
 * @see #parse how it is written
 */
public final class AddressSet {

    /** Stands for every peer that comes by a Unix domain socket, which has no address. */
    private static final String UNIX = "unix:";

    private final List<Cidr> ranges;
    private final boolean unix;

    private AddressSet(List<Cidr> ranges, boolean unix) {
        this.ranges = List.copyOf(ranges);
        this.unix = unix;
    }

    /**
     * Addresses and ranges, separated by commas or spaces: {@code 10.0.0.0/8, 192.168.1.7, fd00::/8}. {@code unix:} stands
     * for all who come by a Unix domain socket. Names are not looked up.
     *
     * @throws IllegalArgumentException naming the entry that is neither
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

    /** As {@link #parse} reads it. */
    @Override
    public String toString() {
        List<String> entries =
                new ArrayList<>(ranges.stream().map(Cidr::toString).toList());
        if (unix) {
            entries.add(UNIX);
        }
        return String.join(",", entries);
    }
}

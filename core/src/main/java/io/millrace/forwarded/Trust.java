package io.millrace.forwarded;

import io.millrace.net.AddressSet;
import java.net.InetSocketAddress;
import java.util.regex.Pattern;

/** Who is believed. */
@FunctionalInterface
public interface Trust {

    boolean includes(Hop hop);

    /** Nobody. */
    static Trust nobody() {
        return hop -> false;
    }

    /** Those with one of these addresses. */
    static Trust in(AddressSet addresses) {
        return hop -> addresses.contains(hop.address());
    }

    /**
     * Those whose address, as it was written or as Java writes it, matches as a whole: Tomcat's way. Java writes no IPv6
     * address shortened.
     */
    static Trust matching(Pattern pattern) {
        return hop -> pattern.matcher(hop.text()).matches()
                || hop.address() instanceof InetSocketAddress inet
                        && inet.getAddress() != null
                        && pattern.matcher(inet.getAddress().getHostAddress()).matches();
    }
}

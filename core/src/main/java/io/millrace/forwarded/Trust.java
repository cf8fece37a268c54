package io.millrace.forwarded;

import io.millrace.net.AddressSet;
import io.millrace.settings.SettingType;
import java.net.InetSocketAddress;
import java.util.regex.Pattern;

/** Who is believed. */
@FunctionalInterface
public interface Trust {

    /** How server.xml writes it. Addresses are our own addition; Tomcat knows patterns only. */
    SettingType<Trust> TYPE = SettingType.parsed(
            "a regular expression for addresses, or addresses and ranges with commas between", Trust::parse);

    boolean includes(Hop hop);

    /**
     * What reads as addresses means addresses; else it is a pattern.
     *
     * @throws IllegalArgumentException if it is neither
     */
    static Trust parse(String text) {
        return AddressSet.TYPE.accepts(text) ? in(AddressSet.parse(text)) : matching(Pattern.compile(text));
    }

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

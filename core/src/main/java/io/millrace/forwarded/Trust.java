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
     * Addresses and ranges, or else a regular expression for addresses.
     *
     * @throws IllegalArgumentException if it is neither, or an expression that can be nothing but a mistyped list of
     *     addresses and ranges, such as {@code 10.0.0.0/33}: as an expression it matches nobody
     */
    static Trust parse(String text) {
        if (AddressSet.TYPE.accepts(text)) {
            return in(AddressSet.parse(text));
        }
        if (text.matches("(?=.*[,/\\s])[0-9a-fA-F:.,/\\s]+|[0-9]+([.][0-9]+){3}")) {
            throw new IllegalArgumentException(text + " is no list of addresses and ranges");
        }
        return matching(Pattern.compile(text));
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

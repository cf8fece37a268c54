package io.millrace.forwarded;

import io.millrace.net.AddressSet;
import io.millrace.settings.SettingType;
import java.net.InetSocketAddress;
import java.util.regex.Pattern;

/** Selects the trusted front ends. */
@FunctionalInterface
public interface Trust {

    /** The notation of server.xml: that of {@link #parse}. Tomcat supports patterns only. */
    SettingType<Trust> TYPE = SettingType.parsed(
            "a regular expression for addresses, or a list of addresses and ranges, separated by commas", Trust::parse);

    boolean includes(Hop hop);

    /**
     * Parses a list of addresses and ranges, or else a regular expression for addresses.
     *
     * @throws IllegalArgumentException if it is neither, or apparently a mistyped list of addresses and ranges, such as
     *     {@code 10.0.0.0/33}, which matches nothing as an expression
     */
    static Trust parse(String text) {
        if (AddressSet.TYPE.accepts(text)) {
            return in(AddressSet.parse(text));
        }
        if (text.matches("(?=.*[,/\\s])[0-9a-fA-F:.,/\\s]+|[0-9]+([.][0-9]+){3}")) {
            throw new IllegalArgumentException(text + " is not a valid list of addresses and ranges");
        }
        return matching(Pattern.compile(text));
    }

    /** Trusts no address. */
    static Trust nobody() {
        return hop -> false;
    }

    /** Trusts these addresses. */
    static Trust in(AddressSet addresses) {
        return hop -> addresses.contains(hop.address());
    }

    /**
     * Trusts the addresses that match a pattern entirely, as received or in Java's notation, as in Tomcat. Java does not shorten
     * IPv6 addresses.
     */
    static Trust matching(Pattern pattern) {
        return hop -> pattern.matcher(hop.text()).matches()
                || hop.address() instanceof InetSocketAddress inet
                        && inet.getAddress() != null
                        && pattern.matcher(inet.getAddress().getHostAddress()).matches();
    }
}

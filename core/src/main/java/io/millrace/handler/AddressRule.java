package io.millrace.handler;

import io.millrace.net.AddressSet;
import io.millrace.net.IpLiteral;
import java.net.InetAddress;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which clients are allowed, by address or host name. As in Tomcat, a denied client is never allowed; otherwise a client
 * is allowed if it matches an allow rule, or if there are only deny rules. Immutable.
 */
@FunctionalInterface
public interface AddressRule {

    /**
     * Whether the client is allowed.
     *
     * @param client an address in any spelling, or a host name; followed by {@code ;port} if the rule includes ports
     */
    boolean allows(String client);

    /**
     * A rule of regular expressions, which must match the entire address or name, as in Tomcat's RemoteAddrValve. An
     * IPv6 address is matched in Java's spelling, in that of RFC 5952, and without its scope; a name also in lower case.
     * One matching spelling is sufficient, but an allow pattern with a look-around or a negated class must match all
     * spellings, so that no spelling bypasses it.
     *
     * @param allow null for no allow rule
     * @param deny null for no deny rule
     */
    static AddressRule patterns(@Nullable Pattern allow, @Nullable Pattern deny) {
        return client -> {
            List<String> spellings = Spellings.of(client);
            if (deny != null
                    && spellings.stream().anyMatch(each -> deny.matcher(each).matches())) {
                return false;
            }
            return allow == null ? deny != null : Spellings.match(allow, spellings);
        };
    }

    /**
     * A rule of addresses and ranges (RFC 4632), as in Tomcat's RemoteCIDRValve, without ports. Anything that is not an
     * address is denied.
     */
    static AddressRule ranges(AddressSet allow, AddressSet deny) {
        return client -> {
            InetAddress address = IpLiteral.parse(IpLiteral.withoutScope(client));
            if (address == null || deny.contains(address)) {
                return false;
            }
            return allow.contains(address) || allow.isEmpty() && !deny.isEmpty();
        };
    }

    /**
     * A rule of addresses and ranges, each with a pattern for ports, {@code 10.0.0.0/8;8443}, as in RemoteCIDRValve with
     * {@code addConnectorPort}.
     *
     * @throws IllegalArgumentException if an entry is invalid or has no port; the message names it
     */
    static AddressRule rangesWithPorts(String allow, String deny) {
        return PortedRanges.parse(allow, deny);
    }
}

package io.millrace.handler;

import io.millrace.net.AddressSet;
import io.millrace.net.IpLiteral;
import java.net.InetAddress;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Who is let in, by what a client is called: its address, or its host's name. As in Tomcat, a client that is denied is out
 * whatever else is said; then one that is allowed is in; and any other is in only if nothing but denials was said. Immutable.
 */
@FunctionalInterface
public interface AddressRule {

    /**
     * Whether to let a client in.
     *
     * @param client an address in any spelling, or the name of a host; {@code ;port} follows where the port that it came by
     *     is compared too
     */
    boolean allows(String client);

    /**
     * By regular expressions that match the whole of what a client is called, as Tomcat's RemoteAddrValve does. An IPv6
     * address is compared as Java writes it, as RFC 5952 does, and without its scope; a name also in lower case. One
     * spelling that matches is enough, but a pattern that excludes something, by a look-around or a negated class, has to
     * match them all to allow anybody: which spelling a client has is no way around it.
     *
     * @param allow null: none is named
     * @param deny null: none is named
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

    /** By addresses and ranges (RFC 4632), as Tomcat's RemoteCIDRValve does; without ports. What is no address is out. */
    static AddressRule ranges(AddressSet allow, AddressSet deny) {
        return client -> {
            InetAddress address = IpLiteral.parse(Spellings.withoutScope(client));
            if (address == null || deny.contains(address)) {
                return false;
            }
            return allow.contains(address) || allow.isEmpty() && !deny.isEmpty();
        };
    }

    /**
     * By addresses and ranges that have a pattern of ports behind a semicolon, {@code 10.0.0.0/8;8443}, as RemoteCIDRValve
     * has them with {@code addConnectorPort}.
     *
     * @throws IllegalArgumentException naming an entry that is wrong, or has no port
     */
    static AddressRule rangesWithPorts(String allow, String deny) {
        return PortedRanges.parse(allow, deny);
    }
}

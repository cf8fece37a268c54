package io.millrace.tls.openssl.binding;

import io.millrace.net.IpLiteral;
import java.net.InetAddress;
import java.util.regex.Pattern;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** The identity that a client expects of its server: a host name or an IP address (RFC 9525, 6.1). Immutable. */
public final class ExpectedServer {

    private static final Pattern ADDRESS = Pattern.compile("[0-9.]+|.*:.*");

    private final String host;
    private final byte @Nullable [] address;
    private final boolean verified;

    private ExpectedServer(String host, byte @Nullable [] address, boolean verified) {
        this.host = host;
        this.address = address;
        this.verified = verified;
    }

    /**
     * The identity of the host that is connected to.
     *
     * @param host a name, in ASCII or not, or an address without brackets; a scope after {@code %} is not compared
     * @param verified whether the certificate must match it
     * @throws SSLException if the host is neither
     */
    public static ExpectedServer of(String host, boolean verified) throws SSLException {
        if (ADDRESS.matcher(host).matches()) {
            int scope = host.indexOf('%');
            InetAddress address = IpLiteral.parse(scope < 0 ? host : host.substring(0, scope));
            if (address == null) {
                throw new SSLException("the host is neither a name nor an IP address: " + host);
            }
            return new ExpectedServer(host, address.getAddress(), verified);
        }
        try {
            return new ExpectedServer(new SNIHostName(host).getAsciiName(), null, verified);
        } catch (IllegalArgumentException malformed) {
            throw new SSLException("cannot send the host name to the server: " + malformed.getMessage(), malformed);
        }
    }

    /** The name in ASCII, or the address as it was given. */
    public String host() {
        return host;
    }

    /** The address, or null for a name. */
    byte @Nullable [] address() {
        return address;
    }

    /** Whether it is a name. */
    public boolean isName() {
        return address == null;
    }

    boolean isVerified() {
        return verified;
    }
}

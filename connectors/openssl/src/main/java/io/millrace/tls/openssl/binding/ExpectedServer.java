package io.millrace.tls.openssl.binding;

import io.millrace.net.IpLiteral;
import java.net.InetAddress;
import java.util.regex.Pattern;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Who is at the other end of a client's connection: a host name or an IP address (RFC 9525, 6.1). Immutable. */
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
     * Of a host as it was dialled.
     *
     * @param host a name, in ASCII or not, or an address without brackets; a scope behind {@code %} belongs to this machine alone
     * @param verified whether the certificate must be for it
     * @throws SSLException if it is neither
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
            throw new SSLException("the host name can't be sent to the server: " + malformed.getMessage(), malformed);
        }
    }

    /** A name in ASCII, or an address as it was written. */
    public String host() {
        return host;
    }

    /** Null for a name. */
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

package io.millrace.io;

import org.jspecify.annotations.Nullable;

/**
 * What a trusted front end reported of the client that it connects with us: once for the whole connection by the PROXY
 * protocol, version 2, or with each request by AJP. What it did not say is null.
 *
 * @param secure true if the client came to the front end by TLS
 * @param tlsVersion such as {@code TLSv1.3}
 * @param cipherSuite as the front end names it
 * @param clientName the common name of the client's certificate, if the front end verified one
 * @param serverName the host name that the client asked for (SNI)
 * @param applicationProtocol what the front end and the client agreed on (ALPN)
 * @param uniqueId what the front end calls this connection, in hexadecimal digits
 * @param notes what else it reported, with this one request
 */
public record FrontEnd(
        boolean secure,
        @Nullable String tlsVersion,
        @Nullable String cipherSuite,
        @Nullable String clientName,
        @Nullable String serverName,
        @Nullable String applicationProtocol,
        @Nullable String uniqueId,
        FrontEndNotes notes) {

    /** Addresses only. */
    public static final FrontEnd SILENT = new FrontEnd(false, null, null, null, null, null, null, FrontEndNotes.NONE);

    /** By AJP. */
    public static FrontEnd ofRequest(
            boolean secure, @Nullable String tlsVersion, @Nullable String cipherSuite, FrontEndNotes notes) {
        return new FrontEnd(secure, tlsVersion, cipherSuite, null, null, null, null, notes);
    }
}

package io.millrace.io;

import org.jspecify.annotations.Nullable;

/**
 * What a trusted front end reported about the client of a connection: for the whole connection with version 2 of the
 * PROXY protocol, or for each request with AJP. What it did not report is null.
 *
 * @param secure whether the client connected to the front end with TLS
 * @param tlsVersion for example {@code TLSv1.3}
 * @param cipherSuite in the front end's spelling
 * @param clientName the common name of the client's certificate, if the front end verified one
 * @param serverName the host name that the client requested (SNI)
 * @param applicationProtocol the protocol that the front end and the client negotiated (ALPN)
 * @param uniqueId the front end's id of the connection, in hexadecimal digits
 * @param notes what else it reported, with this request
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

    /** A front end that reported addresses only. */
    public static final FrontEnd SILENT = new FrontEnd(false, null, null, null, null, null, null, FrontEndNotes.NONE);

    /** The report of a front end that uses AJP. */
    public static FrontEnd ofRequest(
            boolean secure, @Nullable String tlsVersion, @Nullable String cipherSuite, FrontEndNotes notes) {
        return new FrontEnd(secure, tlsVersion, cipherSuite, null, null, null, null, notes);
    }
}

package io.millrace.handler;

import io.millrace.io.ConnectionInfo;
import io.millrace.io.FrontEnd;
import java.util.HexFormat;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** The TLS parameters of a connection, by their names in Tomcat's access log ({@code %{name}r}). */
final class TlsFacts {

    private TlsFacts() {}

    /** The parameter of this name; null if there is none, or the connection does not use TLS. */
    static @Nullable String named(String name, ConnectionInfo connection) {
        SSLSession tls = connection.tlsSession();
        FrontEnd frontEnd = connection.frontEnd();
        return switch (name) {
            case "javax.servlet.request.cipher_suite" ->
                tls != null ? tls.getCipherSuite() : frontEnd == null ? null : frontEnd.cipherSuite();
            case "org.apache.tomcat.util.net.secure_protocol_version" ->
                tls != null ? tls.getProtocol() : frontEnd == null ? null : frontEnd.tlsVersion();
            case "javax.servlet.request.ssl_session_id" ->
                tls == null ? null : HexFormat.of().formatHex(tls.getId());
            default -> null;
        };
    }
}

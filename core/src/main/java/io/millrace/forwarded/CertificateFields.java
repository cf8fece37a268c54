package io.millrace.forwarded;

import io.millrace.http.Headers;
import io.millrace.http.RequestHead;
import io.millrace.io.ConnectionInfo;
import io.millrace.io.FrontEnd;
import io.millrace.io.FrontEndNotes;
import io.millrace.net.AddressSet;
import java.net.SocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * A front end that ends TLS and sends the client's certificate, which it has verified, in fields of the request: what Tomcat's
 * SSLValve reads. Only the listed addresses are believed, as those that the connection comes from, whatever was relayed before: a
 * client could send the fields itself. What is sent twice counts as not sent. Of a connection of such a front end, TLS between it
 * and us says nothing of the client.
 *
 * @param trusted the front ends; each must replace or remove these fields of its clients
 * @param certificate the field with a certificate in PEM, its line feeds replaced by spaces or tabs
 * @param escapedCertificate the field with a certificate in PEM, percent-encoded; this one counts if both are there
 * @param cipherSuite the field with the name of the cipher suite
 * @param sessionId the field with the id of the TLS session
 * @param keySize the field with the bits of the cipher's key
 */
public record CertificateFields(
        AddressSet trusted,
        String certificate,
        String escapedCertificate,
        String cipherSuite,
        String sessionId,
        String keySize)
        implements Relay {

    private static final String BEGIN = "-----BEGIN CERTIFICATE-----";
    private static final String END = "-----END CERTIFICATE-----";

    /** What httpd sends in place of a variable that is not set. */
    private static final String NOTHING = "(null)";

    public CertificateFields {
        Objects.requireNonNull(trusted);
    }

    /** By the names that Tomcat's documentation has for httpd and nginx. */
    public static CertificateFields trusting(AddressSet trusted) {
        return new CertificateFields(
                trusted,
                "ssl_client_cert",
                "ssl_client_escaped_cert",
                "ssl_cipher",
                "ssl_session_id",
                "ssl_cipher_usekeysize");
    }

    @Override
    public @Nullable RelayedRequest before(RequestHead head, ConnectionInfo connection) {
        if (!trusted.contains(connection.direct().remote())) {
            return null;
        }
        return new RelayedRequest(head, new Reported(connection, frontEnd(head.headers(), connection.frontEnd())));
    }

    private @Nullable FrontEnd frontEnd(Headers headers, @Nullable FrontEnd known) {
        String pem = pem(headers);
        String cipher = value(headers, cipherSuite);
        String session = value(headers, sessionId);
        int bits = bits(value(headers, keySize));
        if (pem == null && cipher == null && session == null && bits == 0) {
            return known;
        }
        FrontEnd before = known == null ? FrontEnd.SILENT : known;
        FrontEndNotes notes = before.notes();
        return new FrontEnd(
                true,
                before.tlsVersion(),
                cipher == null ? before.cipherSuite() : cipher,
                before.clientName(),
                before.serverName(),
                before.applicationProtocol(),
                before.uniqueId(),
                new FrontEndNotes(bits, session, pem, notes.user(), notes.attributes()));
    }

    private @Nullable String pem(Headers headers) {
        String escaped = value(headers, escapedCertificate);
        if (escaped == null) {
            String spaced = value(headers, certificate);
            return spaced == null ? null : lines(spaced);
        }
        try {
            // a plus sign is one of Base64 here, and no space of a form
            return lines(URLDecoder.decode(escaped.replace("+", "%2B"), StandardCharsets.ISO_8859_1));
        } catch (IllegalArgumentException malformed) {
            return null;
        }
    }

    /** With line feeds again; null if it is no certificate in PEM. */
    private static @Nullable String lines(String text) {
        String stripped = text.strip();
        if (!stripped.startsWith(BEGIN)
                || !stripped.endsWith(END)
                || stripped.length() < BEGIN.length() + END.length()) {
            return null;
        }
        String body = stripped.substring(BEGIN.length(), stripped.length() - END.length());
        return BEGIN + "\n" + body.strip().replaceAll("\\s+", "\n") + "\n" + END + "\n";
    }

    private static @Nullable String value(Headers headers, String name) {
        List<String> values = name.isEmpty() ? List.of() : headers.all(name);
        if (values.size() != 1) {
            return null;
        }
        String value = values.get(0).strip();
        return value.isEmpty() || value.equals(NOTHING) ? null : value;
    }

    private static int bits(@Nullable String text) {
        try {
            return text == null ? 0 : Math.max(0, Integer.parseInt(text));
        } catch (NumberFormatException malformed) {
            return 0;
        }
    }

    /** The same connection, of which only the front end can tell anything about TLS. */
    private record Reported(ConnectionInfo ours, @Nullable FrontEnd frontEnd) implements ConnectionInfo {

        @Override
        public SocketAddress local() {
            return ours.local();
        }

        @Override
        public SocketAddress remote() {
            return ours.remote();
        }

        @Override
        public boolean isSecure() {
            return ours.isSecure();
        }

        @Override
        public @Nullable SSLSession tlsSession() {
            return null;
        }

        @Override
        public @Nullable String applicationProtocol() {
            return ours.applicationProtocol();
        }

        @Override
        public ConnectionInfo direct() {
            return ours.direct();
        }
    }
}

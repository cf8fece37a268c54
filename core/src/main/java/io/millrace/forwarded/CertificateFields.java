package io.millrace.forwarded;

import static io.millrace.settings.SettingType.TEXT;

import io.millrace.http.Headers;
import io.millrace.http.RequestHead;
import io.millrace.io.ConnectionInfo;
import io.millrace.io.FrontEnd;
import io.millrace.io.FrontEndNotes;
import io.millrace.net.AddressSet;
import io.millrace.settings.Setting;
import io.millrace.settings.SettingGroup;
import io.millrace.settings.Settings;
import java.net.SocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * A front end that ends TLS and sends the client's certificate, which it has verified, in fields of the request: what Tomcat's
 * SSLValve reads. Only the listed addresses are believed, as those that the connection comes from, whatever was relayed before: a
 * client could send the fields itself. What is sent twice counts as not sent. Of a connection of such a front end, TLS between it
 * and us says nothing of the client.
 */
public final class CertificateFields implements Relay {

    private static final SettingGroup GROUP = new SettingGroup();

    /** The front ends; each must replace or remove these fields of its clients. */
    public static final Setting<AddressSet> TRUSTED = GROUP.add("trusted", AddressSet.TYPE, AddressSet.parse(""));

    /** The field with a certificate in PEM, its line feeds replaced by spaces or tabs. */
    public static final Setting<String> CERTIFICATE = GROUP.add("sslClientCertHeader", TEXT, "ssl_client_cert");

    /** The field with a certificate in PEM, percent-encoded; this one counts if both are there. */
    public static final Setting<String> ESCAPED_CERTIFICATE =
            GROUP.add("sslClientEscapedCertHeader", TEXT, "ssl_client_escaped_cert");

    /** The field with the name of the cipher suite. */
    public static final Setting<String> CIPHER_SUITE = GROUP.add("sslCipherHeader", TEXT, "ssl_cipher");

    /** The field with the id of the TLS session. */
    public static final Setting<String> SESSION_ID = GROUP.add("sslSessionIdHeader", TEXT, "ssl_session_id");

    /** The field with the bits of the cipher's key. */
    public static final Setting<String> KEY_SIZE =
            GROUP.add("sslCipherUserKeySizeHeader", TEXT, "ssl_cipher_usekeysize");

    private static final String BEGIN = "-----BEGIN CERTIFICATE-----";
    private static final String END = "-----END CERTIFICATE-----";

    /** What httpd sends in place of a variable that is not set. */
    private static final String NOTHING = "(null)";

    private final Settings settings;

    private CertificateFields(Settings settings) {
        this.settings = settings;
    }

    /** By the names that Tomcat's documentation has for httpd and nginx. */
    public static CertificateFields trusting(AddressSet trusted) {
        return of(Settings.DEFAULTS.with(TRUSTED, trusted));
    }

    /** With these settings. */
    public static CertificateFields of(Settings settings) {
        return new CertificateFields(settings);
    }

    /** The settings declared here. */
    public static List<Setting<?>> all() {
        return GROUP.settings();
    }

    @Override
    public @Nullable RelayedRequest before(RequestHead head, ConnectionInfo connection) {
        if (!settings.get(TRUSTED).contains(connection.direct().remote())) {
            return null;
        }
        return new RelayedRequest(head, new Reported(connection, frontEnd(head.headers(), connection.frontEnd())));
    }

    private @Nullable FrontEnd frontEnd(Headers headers, @Nullable FrontEnd known) {
        String pem = pem(headers);
        String cipher = value(headers, CIPHER_SUITE);
        String session = value(headers, SESSION_ID);
        int bits = bits(value(headers, KEY_SIZE));
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
        String escaped = value(headers, ESCAPED_CERTIFICATE);
        if (escaped == null) {
            String spaced = value(headers, CERTIFICATE);
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

    private @Nullable String value(Headers headers, Setting<String> field) {
        List<String> values = headers.all(settings.get(field));
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

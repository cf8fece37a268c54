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
 * Evaluates the header fields in which a front end that terminates TLS reports the client's certificate, which it has verified,
 * like Tomcat's SSLValve. Only front ends whose direct addresses are listed are trusted, because clients could send the fields
 * themselves. A field that occurs twice is ignored. The TLS session between a front end and this server is not reported as the
 * client's.
 */
public final class CertificateFields implements Relay {

    private static final SettingGroup GROUP = new SettingGroup();

    /** The trusted front ends, which must replace or remove these fields of their clients. */
    public static final Setting<AddressSet> TRUSTED = GROUP.add("trusted", AddressSet.TYPE, AddressSet.parse(""));

    /** The field with a certificate in PEM, in which spaces or tabs replace line feeds. */
    public static final Setting<String> CERTIFICATE = GROUP.add("sslClientCertHeader", TEXT, "ssl_client_cert");

    /** The field with a certificate in PEM, percent-encoded. If both fields are sent, they must contain the same certificate. */
    public static final Setting<String> ESCAPED_CERTIFICATE =
            GROUP.add("sslClientEscapedCertHeader", TEXT, "ssl_client_escaped_cert");

    /** The field with the name of the cipher suite. */
    public static final Setting<String> CIPHER_SUITE = GROUP.add("sslCipherHeader", TEXT, "ssl_cipher");

    /** The field with the id of the TLS session. */
    public static final Setting<String> SESSION_ID = GROUP.add("sslSessionIdHeader", TEXT, "ssl_session_id");

    /** The field with the key length of the cipher in bits. */
    public static final Setting<String> KEY_SIZE =
            GROUP.add("sslCipherUserKeySizeHeader", TEXT, "ssl_cipher_usekeysize");

    private static final String BEGIN = "-----BEGIN CERTIFICATE-----";
    private static final String END = "-----END CERTIFICATE-----";

    /** The value that httpd sends for a variable that is not set. */
    private static final String NOTHING = "(null)";

    private final Settings settings;

    private CertificateFields(Settings settings) {
        this.settings = settings;
    }

    /** Evaluates the fields of these front ends, with the names in Tomcat's documentation for httpd and nginx. */
    public static CertificateFields trusting(AddressSet trusted) {
        return of(Settings.DEFAULTS.with(TRUSTED, trusted));
    }

    /** A relay with these settings. */
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

    /**
     * The certificate of either field; null if there is none. Null, too, if the fields differ: most front ends set only one of them, so
     * that the other one may be a client's.
     */
    private @Nullable String pem(Headers headers) {
        String spaced = value(headers, CERTIFICATE);
        String plain = spaced == null ? null : lines(spaced);
        if (!headers.contains(settings.get(ESCAPED_CERTIFICATE))) {
            return plain;
        }
        String decoded = unescaped(value(headers, ESCAPED_CERTIFICATE));
        boolean isOnly = !headers.contains(settings.get(CERTIFICATE));
        return isOnly || decoded != null && decoded.equals(plain) ? decoded : null;
    }

    private static @Nullable String unescaped(@Nullable String escaped) {
        if (escaped == null) {
            return null;
        }
        try {
            // a plus sign is a digit of Base64, not a space
            return lines(URLDecoder.decode(escaped.replace("+", "%2B"), StandardCharsets.ISO_8859_1));
        } catch (IllegalArgumentException malformed) {
            return null;
        }
    }

    /** Restores the line feeds; null if it is not a certificate in PEM. */
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

    /** The connection with the TLS properties reported by the front end. */
    private record Reported(
            ConnectionInfo connection, @Nullable FrontEnd frontEnd) implements ConnectionInfo {

        @Override
        public SocketAddress local() {
            return connection.local();
        }

        @Override
        public SocketAddress remote() {
            return connection.remote();
        }

        @Override
        public boolean isSecure() {
            return connection.isSecure();
        }

        @Override
        public @Nullable SSLSession tlsSession() {
            return null;
        }

        @Override
        public @Nullable String applicationProtocol() {
            return connection.applicationProtocol();
        }

        @Override
        public ConnectionInfo direct() {
            return connection.direct();
        }
    }
}

package io.millrace.connector.ajp;

import static io.millrace.connector.ajp.AjpClientOptions.REMOTE_USER;

import io.millrace.client.ClientRequest;
import io.millrace.http.Authority;
import io.millrace.http.Headers;
import io.millrace.http.Method;
import io.millrace.io.CipherStrength;
import io.millrace.io.ConnectionInfo;
import io.millrace.io.FrontEnd;
import io.millrace.io.FrontEndNotes;
import io.millrace.settings.Settings;
import io.millrace.text.PemText;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.security.cert.Certificate;
import java.security.cert.CertificateEncodingException;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** Writes a FORWARD_REQUEST packet: a request, and the data of the client for which it is forwarded. */
final class RequestEncoder {

    private static final int EXPECTED = 1024;
    private static final int MAX_PORT = 65_535;

    /** For clients on a Unix domain socket, which are on this machine. */
    private static final String LOCAL = "127.0.0.1";

    /** Fields that have no meaning in AJP: its servers request the body, and it has no trailers. */
    private static final Set<String> WITHOUT_MEANING = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);

    static {
        WITHOUT_MEANING.addAll(Set.of("Expect", "TE"));
    }

    private final ClientRequest request;
    private final ConnectionInfo client;
    private final Settings options;
    private final PacketWriter packet = new PacketWriter(EXPECTED);

    private RequestEncoder(ClientRequest request, ConnectionInfo client, Settings options) {
        this.request = request;
        this.client = client;
        this.options = options;
    }

    /**
     * Encodes a request.
     *
     * @param link the connection to the server, whose addresses are used for requests without a client
     */
    static ByteBuffer encode(ClientRequest request, ConnectionInfo link, Settings options) {
        ConnectionInfo client = request.client();
        return new RequestEncoder(request, client == null ? new OwnInfo(link) : client, options).encode();
    }

    /**
     * Whether AJP can convey the names of the fields: a length from 0xA000 would be read as the code of another field, and the name as
     * whatever its client has made it look like.
     */
    static boolean areFieldsPossible(ClientRequest request) {
        Headers fields = request.headers();
        for (int i = 0; i < fields.size(); i++) {
            if (fields.name(i).length() >= Codes.CODED) {
                return false;
            }
        }
        return true;
    }

    /** The connection of a request without a client: it is from this machine. */
    private record OwnInfo(SocketAddress local, SocketAddress remote) implements ConnectionInfo {

        OwnInfo(ConnectionInfo link) {
            this(link.local(), link.local());
        }
    }

    private ByteBuffer encode() {
        int method = Codes.codeOfMethod(request.method());
        int query = request.target().indexOf('?');
        packet.octet(Codes.FORWARD_REQUEST)
                .octet(method)
                .text("HTTP/1.1")
                .text(query < 0 ? request.target() : request.target().substring(0, query))
                .text(host(client.remote()))
                .noText();
        server();
        packet.octet(client.isSecure() ? 1 : 0);
        fields();
        if (method == Codes.STORED_METHOD) {
            attribute(0x0d, request.method());
        }
        attribute(0x05, query < 0 ? null : request.target().substring(query + 1));
        attribute(0x0c, emptyToNull(AjpOptions.secret(options)));
        user();
        addresses();
        tls();
        request.attributes().forEach(this::attribute);
        return packet.octet(0xff).end(Codes.TO_SERVER);
    }

    /** Writes the name and port to which the client sent the request. */
    private void server() {
        String authority = Objects.requireNonNullElse(request.headers().get("Host"), "");
        String host = Authority.hostOf(authority);
        int byDefault = Authority.defaultPort(client.isSecure());
        String digits = host == null ? "" : authority.substring(host.length());
        packet.text(host == null ? LOCAL : host).number(digits.length() > 1 ? port(digits, byDefault) : byDefault);
    }

    private static int port(String digits, int byDefault) {
        boolean number = digits.length() < 7 && digits.chars().skip(1).allMatch(c -> c >= '0' && c <= '9');
        int port = number ? Integer.parseInt(digits.substring(1)) : byDefault;
        return port <= MAX_PORT ? port : byDefault;
    }

    private void fields() {
        int countAt = packet.size();
        packet.number(0);
        Headers fields = request.headers();
        int count = 0;
        for (int i = 0; i < fields.size(); i++) {
            if (!WITHOUT_MEANING.contains(fields.name(i))) {
                field(fields.name(i), fields.value(i));
                count++;
            }
        }
        if (request.contentLength() < 0) {
            field("Transfer-Encoding", "chunked");
            count++;
        } else if (request.hasBody() || announcesNothing(request.method())) {
            field("Content-Length", Long.toString(request.contentLength()));
            count++;
        }
        packet.put(countAt, count);
    }

    /** Whether an empty body is announced, because the method usually has a body (RFC 9110, 8.6). */
    private static boolean announcesNothing(String method) {
        return method.equals(Method.POST) || method.equals(Method.PUT) || method.equals(Method.PATCH);
    }

    private void field(String name, String value) {
        int code = Codes.codeOfRequestField(name);
        if (code > 0) {
            packet.number(code);
        } else {
            packet.text(name);
        }
        packet.text(value);
    }

    private void user() {
        var frontEnd = client.frontEnd();
        var user = frontEnd == null ? null : frontEnd.notes().user();
        if (user != null && options.get(REMOTE_USER)) {
            attribute(0x03, user.name());
            attribute(0x04, user.authType());
        }
    }

    private void addresses() {
        if (client.remote() instanceof InetSocketAddress remote && remote.getPort() > 0) {
            attribute("AJP_REMOTE_PORT", Integer.toString(remote.getPort()));
        }
        attribute("AJP_LOCAL_ADDR", host(client.local()));
    }

    private void tls() {
        TlsFacts facts = TlsFacts.of(client);
        if (facts == null) {
            return;
        }
        attribute("AJP_SSL_PROTOCOL", facts.version());
        attribute(0x08, facts.cipherSuite());
        attribute(0x09, facts.sessionId());
        if (facts.keySize() > 0) {
            packet.octet(0x0b).number(facts.keySize());
        }
        String certificates = facts.certificates();
        if (certificates != null) {
            packet.octet(0x07).lines(certificates);
        }
    }

    private void attribute(int code, @Nullable String value) {
        if (value != null) {
            packet.octet(code).text(value);
        }
    }

    private void attribute(String name, @Nullable String value) {
        if (value != null) {
            packet.octet(0x0a).text(name).text(value);
        }
    }

    private static String host(SocketAddress address) {
        return address instanceof InetSocketAddress inet && inet.getAddress() != null
                ? inet.getAddress().getHostAddress()
                : LOCAL;
    }

    private static @Nullable String emptyToNull(String text) {
        return text.isEmpty() ? null : text;
    }

    /**
     * The properties of a client's TLS session that are sent to the server. TLS is terminated here or by a trusted front end.
     *
     * @param keySize in bits; 0 if unknown
     * @param certificates the client's chain in PEM, its own first; null if it sent none
     */
    private record TlsFacts(
            @Nullable String version,
            @Nullable String cipherSuite,
            @Nullable String sessionId,
            int keySize,
            @Nullable String certificates) {

        /** Null if the client's connection does not use TLS. */
        static @Nullable TlsFacts of(ConnectionInfo client) {
            SSLSession session = client.tlsSession();
            FrontEnd frontEnd = client.frontEnd();
            if (session != null) {
                byte[] id = session.getId();
                return new TlsFacts(
                        session.getProtocol(),
                        session.getCipherSuite(),
                        id.length == 0 ? null : HexFormat.of().formatHex(id),
                        keySize(session.getCipherSuite()),
                        certificates(session));
            }
            return frontEnd == null || !frontEnd.secure() ? null : of(frontEnd);
        }

        private static TlsFacts of(FrontEnd frontEnd) {
            FrontEndNotes notes = frontEnd.notes();
            String suite = frontEnd.cipherSuite();
            return new TlsFacts(
                    frontEnd.tlsVersion(),
                    suite,
                    notes.tlsSessionId(),
                    notes.keySize() > 0 ? notes.keySize() : keySize(suite),
                    notes.certificates());
        }

        private static int keySize(@Nullable String suite) {
            Integer bits = suite == null ? null : CipherStrength.bits(suite);
            return bits == null ? 0 : bits;
        }

        private static @Nullable String certificates(SSLSession session) {
            try {
                StringBuilder chain = new StringBuilder();
                for (Certificate each : session.getPeerCertificates()) {
                    chain.append(PemText.of(each));
                }
                return chain.toString();
            } catch (SSLPeerUnverifiedException | CertificateEncodingException none) {
                return null;
            }
        }
    }
}

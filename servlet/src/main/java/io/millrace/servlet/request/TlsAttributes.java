package io.millrace.servlet.request;

import io.millrace.io.ConnectionInfo;
import io.millrace.io.FrontEnd;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.HexFormat;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of a request that came over TLS (Servlet 3.1, 3.9), and Tomcat's one for the version. Where a front end
 * ended TLS and said so by the PROXY protocol, as many as it gave.
 */
final class TlsAttributes {

    private static final String CIPHER_SUITE = "javax.servlet.request.cipher_suite";
    private static final String KEY_SIZE = "javax.servlet.request.key_size";
    private static final String SESSION_ID = "javax.servlet.request.ssl_session_id";
    static final String CERTIFICATES = "javax.servlet.request.X509Certificate";
    private static final String VERSION = "org.apache.tomcat.util.net.secure_protocol_version";

    private TlsAttributes() {}

    /** May an attribute of this name be one of them? */
    static boolean mayBe(String name) {
        return name.startsWith("javax.servlet.request.") || name.equals(VERSION);
    }

    /** Is there anything to be told? */
    static boolean isKnown(ConnectionInfo connection) {
        FrontEnd frontEnd = connection.frontEnd();
        return connection.tlsSession() != null || frontEnd != null && frontEnd.secure();
    }

    /** Sets what is known. */
    static void set(RequestAttributes attributes, ConnectionInfo connection) {
        SSLSession tls = connection.tlsSession();
        FrontEnd frontEnd = connection.frontEnd();
        if (tls != null) {
            set(attributes, tls.getProtocol(), tls.getCipherSuite());
            byte[] id = tls.getId();
            attributes.setQuietly(
                    SESSION_ID, id.length == 0 ? null : HexFormat.of().formatHex(id));
            attributes.setQuietly(CERTIFICATES, certificates(tls));
        } else if (frontEnd != null && frontEnd.secure()) {
            set(attributes, frontEnd.tlsVersion(), frontEnd.cipherSuite());
        }
    }

    private static void set(RequestAttributes attributes, @Nullable String version, @Nullable String suite) {
        attributes.setQuietly(VERSION, version);
        attributes.setQuietly(CIPHER_SUITE, suite);
        attributes.setQuietly(KEY_SIZE, suite == null ? null : CipherStrength.bits(suite));
    }

    private static X509Certificate @Nullable [] certificates(SSLSession tls) {
        try {
            Certificate[] chain = tls.getPeerCertificates();
            return Arrays.copyOf(chain, chain.length, X509Certificate[].class);
        } catch (SSLPeerUnverifiedException | ArrayStoreException e) {
            return null;
        }
    }
}

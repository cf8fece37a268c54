package io.millrace.servlet.request;

import io.millrace.io.CipherStrength;
import io.millrace.io.ConnectionInfo;
import io.millrace.io.FrontEnd;
import io.millrace.io.FrontEndNotes;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Collection;
import java.util.HexFormat;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of a request over TLS (Servlet 3.1, 3.9), and Tomcat's attribute for the version. If a front end terminates TLS,
 * those that it reports by the PROXY protocol or AJP.
 */
final class TlsAttributes {

    private static final Logger LOG = Logger.getLogger(TlsAttributes.class);

    private static final String CIPHER_SUITE = "javax.servlet.request.cipher_suite";
    private static final String KEY_SIZE = "javax.servlet.request.key_size";
    private static final String SESSION_ID = "javax.servlet.request.ssl_session_id";
    private static final String CERTIFICATES = "javax.servlet.request.X509Certificate";
    private static final String VERSION = "org.apache.tomcat.util.net.secure_protocol_version";

    private TlsAttributes() {}

    /** True if this may be the name of one of them. */
    static boolean mayBe(String name) {
        return name.startsWith("javax.servlet.request.") || name.equals(VERSION);
    }

    /** True if a connection has such attributes. */
    static boolean isKnown(ConnectionInfo connection) {
        FrontEnd frontEnd = connection.frontEnd();
        return connection.tlsSession() != null || frontEnd != null && frontEnd.secure();
    }

    /** Sets the attributes that are known. */
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
            set(attributes, frontEnd.notes());
        }
    }

    private static void set(RequestAttributes attributes, @Nullable String version, @Nullable String suite) {
        attributes.setQuietly(VERSION, version);
        attributes.setQuietly(CIPHER_SUITE, suite);
        attributes.setQuietly(KEY_SIZE, suite == null ? null : CipherStrength.bits(suite));
    }

    /** Sets what a front end sent with this request. */
    private static void set(RequestAttributes attributes, FrontEndNotes notes) {
        if (notes.keySize() > 0) {
            attributes.setQuietly(KEY_SIZE, notes.keySize());
        }
        attributes.setQuietly(SESSION_ID, notes.tlsSessionId());
        String pem = notes.certificates();
        attributes.setQuietly(CERTIFICATES, pem == null ? null : parse(pem));
    }

    /** Null if the front end's value is not a certificate: then the client is not authenticated by one. */
    private static X509Certificate @Nullable [] parse(String pem) {
        try {
            byte[] octets = pem.getBytes(StandardCharsets.ISO_8859_1);
            Collection<? extends Certificate> chain =
                    CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(octets));
            return chain.isEmpty() ? null : chain.toArray(X509Certificate[]::new);
        } catch (CertificateException | ArrayStoreException unreadable) {
            LOG.debugf(unreadable, "A client's certificate that the front end sent can't be read");
            return null;
        }
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

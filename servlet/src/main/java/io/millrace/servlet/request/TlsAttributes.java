package io.millrace.servlet.request;

import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.HexFormat;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** The attributes of a request that came over TLS (Servlet 3.1, 3.10). */
final class TlsAttributes {

    private TlsAttributes() {}

    static @Nullable Object get(String name, SSLSession tls) {
        return switch (name) {
            case "javax.servlet.request.cipher_suite" -> tls.getCipherSuite();
            case "javax.servlet.request.key_size" -> keySize(tls.getCipherSuite());
            case "javax.servlet.request.ssl_session_id" -> HexFormat.of().formatHex(tls.getId());
            case "javax.servlet.request.X509Certificate" -> certificates(tls);
            default -> null;
        };
    }

    private static X509Certificate @Nullable [] certificates(SSLSession tls) {
        try {
            Certificate[] chain = tls.getPeerCertificates();
            return Arrays.copyOf(chain, chain.length, X509Certificate[].class);
        } catch (SSLPeerUnverifiedException | ArrayStoreException e) {
            return null;
        }
    }

    /** Bits of the symmetric key. */
    private static @Nullable Integer keySize(String suite) {
        if (suite.contains("256") && !suite.contains("128") || suite.contains("CHACHA20")) {
            return 256;
        }
        return suite.contains("AES_256") ? Integer.valueOf(256) : suite.contains("128") ? Integer.valueOf(128) : null;
    }
}

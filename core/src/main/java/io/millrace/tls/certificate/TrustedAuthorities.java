package io.millrace.tls.certificate;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/** Trust in these authorities only, for the JDK's TLS. */
public final class TrustedAuthorities {

    private TrustedAuthorities() {}

    /** A keystore with the certificates of authorities. */
    public static KeyStore store(List<X509Certificate> authorities) throws GeneralSecurityException {
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            for (int i = 0; i < authorities.size(); i++) {
                store.setCertificateEntry("authority-" + i, authorities.get(i));
            }
            return store;
        } catch (IOException e) {
            throw new IllegalStateException("cannot create an empty keystore", e);
        }
    }

    /** Trust managers that accept what the authorities have signed. */
    public static TrustManager[] managers(List<X509Certificate> authorities) throws GeneralSecurityException {
        TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
        factory.init(store(authorities));
        return factory.getTrustManagers();
    }

    /**
     * A context for clients that accepts servers whose certificate one of the authorities has signed.
     *
     * @param file with the authorities' certificates, PEM; the messages of exceptions continue a sentence that begins with its name
     */
    public static SSLContext clients(Path file) throws IOException, GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers(Pem.certificates(file)), null);
        return context;
    }
}

package io.millrace.tls.openssl;

import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/** The certificate authorities of the JDK's default trust store. */
final class JdkAuthorities {

    private JdkAuthorities() {}

    static List<X509Certificate> all() throws GeneralSecurityException {
        TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
        factory.init((KeyStore) null);
        List<X509Certificate> all = new ArrayList<>();
        for (TrustManager manager : factory.getTrustManagers()) {
            if (manager instanceof X509TrustManager trust) {
                all.addAll(List.of(trust.getAcceptedIssuers()));
            }
        }
        return all;
    }
}

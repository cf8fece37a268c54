package io.millrace.tls.openssl;

import io.millrace.tls.TlsConfigurationException;
import io.millrace.tls.TlsSetting;
import io.millrace.tls.TlsSettings;
import io.millrace.tls.openssl.binding.SslContext;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLException;

/** The settings that server and client contexts share. Its methods throw {@link TlsConfigurationException} if the library refuses one. */
final class OpenSslKeys {

    private OpenSslKeys() {}

    /** Sets the cipher suites; see {@link SslContext#ciphers}. */
    static void ciphers(SslContext context, List<String> suites, String level, boolean serverPreference) {
        try {
            context.ciphers(suites, level, serverPreference);
        } catch (SSLException refused) {
            throw new TlsConfigurationException(TlsSetting.CIPHERS, String.valueOf(refused.getMessage()), refused);
        }
    }

    /** Adds a key and its certificates. */
    static void use(SslContext context, TlsSettings.Key key) {
        byte[] encoded = key.key().getEncoded();
        if (encoded == null) {
            throw new TlsConfigurationException(
                            TlsSetting.CERTIFICATE_FILE,
                            "the key cannot be exported from its keystore, so OpenSSL cannot use it; use jsse",
                            null)
                    .at(key.source());
        }
        try {
            List<byte[]> chain = new ArrayList<>();
            for (X509Certificate certificate : key.chain()) {
                chain.add(certificate.getEncoded());
            }
            context.key(encoded, chain);
        } catch (SSLException | GeneralSecurityException refused) {
            String text = key.chain().get(0).getSubjectX500Principal() + ": " + refused.getMessage();
            throw new TlsConfigurationException(TlsSetting.CERTIFICATE_FILE, text, refused).at(key.source());
        } finally {
            Arrays.fill(encoded, (byte) 0);
        }
    }
}

package io.millrace.standalone;

import io.millrace.testkit.TestTls;
import io.millrace.text.PemText;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;

/** The certificate that the testkit's clients trust, as files for other programs. */
final class TestCertificate {

    private static final String NAME = "millrace";

    /** System properties of the JDK. */
    private static final List<String> ROUNDS = List.of(
            "keystore.pkcs12.keyPbeIterationCount",
            "keystore.pkcs12.certPbeIterationCount",
            "keystore.pkcs12.macIterationCount");

    private TestCertificate() {}

    /**
     * Key and certificate as PKCS12, for a Certificate element with the attribute certificateKeystoreFile. The password is hashed
     * once instead of 10,000 times, which whatever reads the file repeats for each of its parts.
     */
    static Path keystore(Path file) throws IOException, GeneralSecurityException {
        char[] password = TestTls.PASSWORD.toCharArray();
        KeyStore original = TestTls.keyStore();
        ROUNDS.forEach(property -> System.setProperty(property, "1"));
        try (OutputStream out = Files.newOutputStream(file)) {
            KeyStore keys = KeyStore.getInstance("PKCS12");
            keys.load(null, null);
            keys.setKeyEntry(NAME, original.getKey(NAME, password), password, original.getCertificateChain(NAME));
            keys.store(out, password);
        } finally {
            ROUNDS.forEach(System::clearProperty);
        }
        return file;
    }

    /** The certificate as PEM, for who is to trust it. */
    static Path certificate(Path file) throws IOException, GeneralSecurityException {
        return Files.writeString(file, PemText.of(TestTls.keyStore().getCertificate(NAME)));
    }

    /** Certificate and key in one file of PEM, as haproxy wants them. */
    static Path both(Path file) throws IOException, GeneralSecurityException {
        KeyStore keys = TestTls.keyStore();
        return Files.writeString(
                file,
                PemText.of(keys.getCertificate(NAME))
                        + PemText.of(
                                "PRIVATE KEY",
                                keys.getKey(NAME, TestTls.PASSWORD.toCharArray())
                                        .getEncoded()));
    }
}

package io.millrace.tls.certificate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.tls.contract.OpenSsl;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A private key … */
class PemKeyTest {

    @TempDir
    static Path directory;

    private static final char[] PASSWORD = "secret".toCharArray();

    private static OpenSsl openssl = new OpenSsl(Path.of("."));

    @BeforeAll
    static void makeKeys() throws Exception {
        openssl = new OpenSsl(directory);
        openssl.selfSigned("rsa", "rsa:2048", "rsa.test");
        openssl.run("ecparam -name prime256v1 -genkey -out ec.key");
        openssl.run("req -x509 -key ec.key -out ec.pem -days 3650 -subj /CN=ec.test");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "pkcs8 -topk8 -nocrypt -in rsa.key",
                "rsa -traditional -in rsa.key",
                "pkcs8 -topk8 -v2 aes256 -passout pass:secret -in rsa.key",
                "pkcs8 -topk8 -v2 aes128 -v2prf hmacWithSHA512 -passout pass:secret -in rsa.key",
                "pkcs8 -topk8 -v2 des3 -v2prf hmacWithSHA1 -passout pass:secret -in rsa.key",
                "rsa -traditional -aes256 -passout pass:secret -in rsa.key",
                "rsa -traditional -des3 -passout pass:secret -in rsa.key",
            })
    void isReadHoweverAnRsaKeyIsWritten(String command) throws Exception {
        assertKeyOf("rsa.pem", command);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "pkcs8 -topk8 -nocrypt -in ec.key",
                "ec -in ec.key",
                "ec -aes128 -passout pass:secret -in ec.key",
                "pkcs8 -topk8 -v2 aes256 -passout pass:secret -in ec.key",
            })
    void isReadHoweverAnEllipticKeyIsWritten(String command) throws Exception {
        assertKeyOf("ec.pem", command);
    }

    @Test
    void isFoundBehindTheParametersOfItsCurve() throws Exception {
        PrivateKey key = Pem.key(directory.resolve("ec.key"), PASSWORD);
        assertEquals("EC", key.getAlgorithm());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "pkcs8 -topk8 -v2 aes256 -passout pass:other -in rsa.key",
                "rsa -traditional -aes256 -passout pass:other -in rsa.key",
            })
    void doesNotOpenWithAnotherPassword(String command) throws Exception {
        openssl.run(command + " -out other.key");
        assertThrows(WrongPasswordException.class, () -> Pem.key(directory.resolve("other.key"), PASSWORD));
    }

    @Test
    void asksForThePasswordThatIsNotThere() throws Exception {
        openssl.run("rsa -traditional -aes256 -passout pass:secret -in rsa.key -out locked.key");
        WrongPasswordException refused =
                assertThrows(WrongPasswordException.class, () -> Pem.key(directory.resolve("locked.key"), new char[0]));
        assertEquals("is encrypted, and no password for it is configured", refused.getMessage());
    }

    @Test
    void isRefusedForACertificateOfAnotherKey() throws Exception {
        openssl.selfSigned("stranger", "rsa:2048", "stranger.test");
        PrivateKey key = Pem.key(directory.resolve("rsa.key"), PASSWORD);
        List<X509Certificate> certificates = Pem.certificates(directory.resolve("stranger.pem"));
        assertThrows(KeyException.class, () -> KeyEntry.of(key, certificates));
    }

    @Test
    void cutOffAtAnyByteIsRefusedAsSuch() throws Exception {
        String whole = Files.readString(directory.resolve("rsa.key"));
        Path cut = directory.resolve("cut.key");
        for (int length = 0; length < whole.length() - 30; length += 97) {
            Files.writeString(cut, whole.substring(0, length));
            assertThrows(Exception.class, () -> Pem.key(cut, PASSWORD));
        }
    }

    private static void assertKeyOf(String certificate, String command) throws Exception {
        openssl.run(command + " -out tested.key");
        PrivateKey key = Pem.key(directory.resolve("tested.key"), PASSWORD);
        KeyEntry entry = KeyEntry.of(key, Pem.certificates(directory.resolve(certificate)));
        assertEquals(1, entry.chain().size());
        byte[] message = {1, 2, 3};
        String algorithm = "SHA256with" + (key.getAlgorithm().equals("EC") ? "ECDSA" : "RSA");
        Signature signer = Signature.getInstance(algorithm);
        signer.initSign(key);
        signer.update(message);
        byte[] signature = signer.sign();
        signer.initVerify(entry.certificate());
        signer.update(message);
        assertTrue(signer.verify(signature));
    }
}

package io.millrace.tls.cipher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.tls.contract.OpenSsl;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A list of cipher suites … */
class CipherListTest {

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HIGH:!aNULL:!MD5",
                "HIGH:!aNULL:!eNULL:!EXPORT:!DES:!RC4:!MD5:!kRSA",
                "ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-SHA384:AES128-SHA",
                "ECDHE+AESGCM:DHE+AESGCM:ECDHE+CHACHA20",
                "EECDH+AESGCM:EDH+AESGCM:AES256+EECDH:AES256+EDH",
                "ALL:!aNULL:!eNULL:+AES128",
                "ALL:!aNULL:!eNULL:-AES256:AES256",
                "AES128:AES256:!aNULL:@STRENGTH",
                "kRSA:aECDSA:!SHA1",
            })
    void meansWhatItMeansToOpenSsl(String expression) throws Exception {
        List<String> ours = openSslNames(CipherList.of(expression, supported()));
        List<String> theirs = new ArrayList<>(Arrays.asList(new OpenSsl(directory)
                .run("ciphers -s -tls1_2 " + expression + ":@SECLEVEL=0")
                .strip()
                .split(":")));
        theirs.retainAll(everything());
        assertEquals(theirs, ours);
    }

    @Test
    void beginsWithTheSuitesOfTls13UnlessSomeAreNamed() {
        assertEquals(
                List.of(
                        "TLS_AES_256_GCM_SHA384",
                        "TLS_AES_128_GCM_SHA256",
                        "TLS_CHACHA20_POLY1305_SHA256",
                        "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"),
                CipherList.of("ECDHE-RSA-AES128-GCM-SHA256", supported()).names());
        assertEquals(
                List.of("TLS_AES_256_GCM_SHA384", "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"),
                CipherList.of("TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256, TLS_AES_256_GCM_SHA384", supported())
                        .names());
    }

    @Test
    void keepsTheOrderOfTheJdkByDefault() throws Exception {
        List<String> strong = CipherList.strong(supported()).names();
        List<String> jdk = new ArrayList<>(
                List.of(SSLContext.getDefault().getDefaultSSLParameters().getCipherSuites()));
        jdk.retainAll(strong);
        assertEquals(jdk, strong);
    }

    @Test
    void isStrongByDefault() {
        for (CipherSuite suite : CipherList.strong(supported()).suites()) {
            assertTrue(suite.isForwardSecret() && suite.isAuthenticated(), suite.name());
        }
    }

    @Test
    void namesTheNearestOfAMisspeltOne() {
        IllegalArgumentException refused = assertThrows(
                IllegalArgumentException.class, () -> CipherList.of("ECDHE-RSA-AES128-GMC-SHA256", supported()));
        assertTrue(
                String.valueOf(refused.getMessage()).contains("did you mean 'ECDHE-RSA-AES128-GCM-SHA256'?"),
                refused::toString);
    }

    @Test
    void tellsWhatIsKnownButMissing() {
        CipherList list = CipherList.of("ECDHE-RSA-AES128-GCM-SHA256:ECDHE-RSA-CAMELLIA128-SHA256", supported());
        assertEquals(List.of("ECDHE-RSA-CAMELLIA128-SHA256"), list.missing());
    }

    @ParameterizedTest
    @ValueSource(strings = {"!ALL", "", "ECDHE-RSA-CAMELLIA128-SHA256", "HIGH:!HIGH"})
    void isRefusedIfNothingIsLeft(String expression) {
        assertThrows(IllegalArgumentException.class, () -> CipherList.of(expression, supported()));
    }

    private static List<String> openSslNames(CipherList list) {
        return list.suites().stream()
                .filter(suite -> !suite.isTls13())
                .map(CipherSuite::openSslName)
                .filter(name -> !name.contains("-DSS-"))
                .toList();
    }

    /** Without suites for DSA, which are not in use, and whose position in OpenSSL's order varies. */
    private static List<String> everything() {
        return supported().stream()
                .filter(name -> !name.endsWith("_SCSV"))
                .map(name -> CipherSuite.named(name).openSslName())
                .filter(name -> !name.contains("-DSS-"))
                .toList();
    }

    private static List<String> supported() {
        try {
            return List.of(SSLContext.getDefault().getSupportedSSLParameters().getCipherSuites());
        } catch (java.security.NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}

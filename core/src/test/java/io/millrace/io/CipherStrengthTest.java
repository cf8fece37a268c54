package io.millrace.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The strength of a cipher … */
class CipherStrengthTest {

    @ParameterizedTest
    @CsvSource({
        "TLS_AES_128_GCM_SHA256, 128",
        "TLS_AES_256_GCM_SHA384, 256",
        "TLS_CHACHA20_POLY1305_SHA256, 256",
        "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256, 128",
        "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA, 256",
        "ECDHE-RSA-AES256-GCM-SHA384, 256",
        "AES128-SHA, 128",
        "SSL_RSA_WITH_3DES_EDE_CBC_SHA, 168",
        "DES-CBC3-SHA, 168",
        "TLS_RSA_WITH_CAMELLIA_128_CBC_SHA256, 128",
        "SSL_RSA_WITH_RC4_128_SHA, 128",
        "TLS_RSA_WITH_NULL_SHA256, 0",
    })
    void isReadFromItsName(String suite, int bits) {
        assertEquals(bits, CipherStrength.bits(suite));
    }

    @Test
    void isUnknownIfTheNameSaysNothing() {
        assertNull(CipherStrength.bits("TLS_NEW_CIPHER"));
    }
}

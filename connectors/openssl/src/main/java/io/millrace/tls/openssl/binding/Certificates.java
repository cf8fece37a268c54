package io.millrace.tls.openssl.binding;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import javax.net.ssl.SSLException;

/** Converts X509, X509_CRL and EVP_PKEY from and to DER. The caller frees what a returned address points to. */
final class Certificates {

    private static final MethodHandle X509_OF = OpenSslLibrary.ofLong("d2i_X509", JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle X509_FREE = OpenSslLibrary.procedure("X509_free", JAVA_LONG);
    private static final MethodHandle X509_TO = OpenSslLibrary.ofInt("i2d_X509", JAVA_LONG, JAVA_LONG);
    private static final MethodHandle CRL_OF = OpenSslLibrary.ofLong("d2i_X509_CRL", JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle CRL_FREE = OpenSslLibrary.procedure("X509_CRL_free", JAVA_LONG);
    private static final MethodHandle KEY_OF =
            OpenSslLibrary.ofLong("d2i_AutoPrivateKey", JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle KEY_FREE = OpenSslLibrary.procedure("EVP_PKEY_free", JAVA_LONG);

    private Certificates() {}

    static long certificate(byte[] der) throws SSLException {
        return read(X509_OF, "a certificate", der);
    }

    static void free(long certificate) {
        call(X509_FREE, certificate);
    }

    static long revocationList(byte[] der) throws SSLException {
        return read(CRL_OF, "a revocation list", der);
    }

    static void freeRevocationList(long list) {
        call(CRL_FREE, list);
    }

    /** Parses a private key in PKCS#8. */
    static long key(byte[] pkcs8) throws SSLException {
        return read(KEY_OF, "a private key", pkcs8);
    }

    static void freeKey(long key) {
        call(KEY_FREE, key);
    }

    /** Clears the native copy afterwards: it may contain a key. */
    private static long read(MethodHandle function, String what, byte[] der) throws SSLException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocateFrom(ValueLayout.JAVA_BYTE, der);
            MemorySegment at = arena.allocateFrom(JAVA_LONG, bytes.address());
            Errors.clear();
            long made;
            try {
                made = (long) function.invokeExact(0L, at.address(), bytes.byteSize());
            } catch (Throwable thrown) {
                throw OpenSslLibrary.unexpected(thrown);
            } finally {
                bytes.fill((byte) 0);
            }
            if (made == 0) {
                throw new SSLException("OpenSSL cannot parse " + what + ": " + Errors.drain());
            }
            return made;
        }
    }

    static byte[] encoded(long certificate) {
        try (Arena arena = Arena.ofConfined()) {
            int length = (int) X509_TO.invokeExact(certificate, 0L);
            if (length <= 0) {
                throw new IllegalStateException("cannot encode a certificate: " + Errors.drain());
            }
            MemorySegment bytes = arena.allocate(length);
            MemorySegment at = arena.allocateFrom(JAVA_LONG, bytes.address());
            int written = (int) X509_TO.invokeExact(certificate, at.address());
            return bytes.asSlice(0, written).toArray(ValueLayout.JAVA_BYTE);
        } catch (Throwable thrown) {
            throw OpenSslLibrary.unexpected(thrown);
        }
    }

    private static void call(MethodHandle procedure, long address) {
        try {
            procedure.invokeExact(address);
        } catch (Throwable thrown) {
            throw OpenSslLibrary.unexpected(thrown);
        }
    }
}

package io.millrace.tls.openssl.binding;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.millrace.natives.Pointers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLException;

/**
 * The OCSP responses of a context's certificates: a linked list in native memory, which the library's callback reads. Expired
 * responses are not sent, because a client that receives one must reject the certificate.
 */
final class StapledResponses {

    // an entry: pointer to the next, pointer to the certificate, end of validity (seconds since 1970), length, bytes

    private static final long CERTIFICATE = 8;
    private static final long VALID_UNTIL = 16;
    private static final long LENGTH = 24;
    private static final long BYTES = 32;

    private static final int CTRL_SET_RESPONSE = 71;

    private static final MethodHandle CURRENT = OpenSslLibrary.ofLong("SSL_get_certificate", JAVA_LONG);
    private static final MethodHandle CONTROL =
            OpenSslLibrary.ofLong("SSL_ctrl", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle ALLOCATE = OpenSslLibrary.ofLong("CRYPTO_malloc", JAVA_LONG, JAVA_LONG, JAVA_INT);

    private final Arena arena;
    private final List<Long> certificates = new ArrayList<>();
    private long first;

    StapledResponses(Arena arena) {
        this.arena = arena;
    }

    /** Adds a certificate of the context. */
    void add(long certificate) {
        certificates.add(certificate);
    }

    /** Adds a response and returns the address of the list. */
    long add(byte[] response) throws SSLException {
        try (OcspResponse read = OcspResponse.read(response)) {
            long validUntil = read.validUntil();
            MemorySegment entry = arena.allocate(BYTES + response.length, Long.BYTES);
            entry.set(JAVA_LONG, 0, first);
            entry.set(JAVA_LONG, CERTIFICATE, read.subject(certificates));
            entry.set(JAVA_LONG, VALID_UNTIL, validUntil);
            entry.set(JAVA_LONG, LENGTH, response.length);
            MemorySegment.copy(response, 0, entry, JAVA_BYTE, BYTES, response.length);
            first = entry.address();
            return first;
        }
    }

    /** Attaches the response for the certificate that a connection uses. False if there is no valid one. */
    static boolean attach(long ssl, long list) throws Throwable {
        long certificate = (long) CURRENT.invokeExact(ssl);
        for (long at = list; at != 0; at = Pointers.at(at, BYTES).get(JAVA_LONG, 0)) {
            MemorySegment head = Pointers.at(at, BYTES);
            if (head.get(JAVA_LONG, CERTIFICATE) == certificate) {
                boolean valid = head.get(JAVA_LONG, VALID_UNTIL) > System.currentTimeMillis() / 1000;
                return valid && copy(ssl, at + BYTES, head.get(JAVA_LONG, LENGTH));
            }
        }
        return false;
    }

    /** The connection frees the copy. */
    private static boolean copy(long ssl, long response, long length) throws Throwable {
        long copy = (long) ALLOCATE.invokeExact(length, 0L, 0);
        if (copy == 0) {
            return false;
        }
        Pointers.at(copy, length).copyFrom(Pointers.at(response, length));
        return (long) CONTROL.invokeExact(ssl, CTRL_SET_RESPONSE, length, copy) == 1;
    }
}

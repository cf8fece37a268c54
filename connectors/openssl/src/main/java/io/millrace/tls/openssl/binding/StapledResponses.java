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

    /** An OCSP response for one certificate (RFC 6960, 4.2). */
    private static final class OcspResponse implements AutoCloseable {

        private static final int SUCCESSFUL = 0;
        private static final int GOOD = 0;
        private static final int DAY = 86_400;

        private static final MethodHandle READ =
                OpenSslLibrary.ofLong("d2i_OCSP_RESPONSE", JAVA_LONG, JAVA_LONG, JAVA_LONG);
        private static final MethodHandle FREE = OpenSslLibrary.procedure("OCSP_RESPONSE_free", JAVA_LONG);
        private static final MethodHandle STATUS = OpenSslLibrary.ofInt("OCSP_response_status", JAVA_LONG);
        private static final MethodHandle CONTENT = OpenSslLibrary.ofLong("OCSP_response_get1_basic", JAVA_LONG);
        private static final MethodHandle FREE_CONTENT = OpenSslLibrary.procedure("OCSP_BASICRESP_free", JAVA_LONG);
        private static final MethodHandle ANSWER = OpenSslLibrary.ofLong("OCSP_resp_get0", JAVA_LONG, JAVA_INT);
        private static final MethodHandle ANSWER_STATUS =
                OpenSslLibrary.ofInt("OCSP_single_get0_status", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
        private static final MethodHandle ANSWER_ID = OpenSslLibrary.ofLong("OCSP_SINGLERESP_get0_id", JAVA_LONG);
        private static final MethodHandle ID_INFO =
                OpenSslLibrary.ofInt("OCSP_id_get0_info", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
        private static final MethodHandle SERIAL = OpenSslLibrary.ofLong("X509_get0_serialNumber", JAVA_LONG);
        private static final MethodHandle COMPARE = OpenSslLibrary.ofInt("ASN1_INTEGER_cmp", JAVA_LONG, JAVA_LONG);
        private static final MethodHandle FROM_NOW =
                OpenSslLibrary.ofInt("ASN1_TIME_diff", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);

        private final Arena arena = Arena.ofConfined();
        private final long content;
        private final long answer;

        private OcspResponse(long content, long answer) {
            this.content = content;
            this.answer = answer;
        }

        /** Parses a response, whose status must be good: others should not be sent. */
        static OcspResponse read(byte[] der) throws SSLException {
            long content = content(der);
            OcspResponse read = new OcspResponse(content, answer(content));
            try {
                if (read.answer == 0) {
                    throw new SSLException("this OCSP response has no certificate status");
                }
                if (read.status(0) != GOOD) {
                    throw new SSLException("this OCSP response does not say that the certificate is good");
                }
                return read;
            } catch (SSLException refused) {
                read.close();
                throw refused;
            }
        }

        private static long content(byte[] der) throws SSLException {
            long response = 0;
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment bytes = arena.allocateFrom(JAVA_BYTE, der);
                MemorySegment at = arena.allocateFrom(JAVA_LONG, bytes.address());
                Errors.clear();
                response = (long) READ.invokeExact(0L, at.address(), bytes.byteSize());
                if (response == 0) {
                    throw new SSLException("OpenSSL cannot parse it as an OCSP response (DER): " + Errors.drain());
                }
                int status = (int) STATUS.invokeExact(response);
                if (status != SUCCESSFUL) {
                    throw new SSLException("this OCSP response is an error of the responder, status " + status);
                }
                long content = (long) CONTENT.invokeExact(response);
                if (content == 0) {
                    throw new SSLException(
                            "OpenSSL cannot parse the contents of this OCSP response: " + Errors.drain());
                }
                return content;
            } catch (SSLException refused) {
                throw refused;
            } catch (Throwable thrown) {
                throw OpenSslLibrary.unexpected(thrown);
            } finally {
                free(FREE, response);
            }
        }

        /** The first, and usually the only one. */
        private static long answer(long content) {
            try {
                return (long) ANSWER.invokeExact(content, 0);
            } catch (Throwable thrown) {
                throw OpenSslLibrary.unexpected(thrown);
            }
        }

        /** @param nextUpdate where the address of that time is stored */
        private int status(long nextUpdate) {
            try {
                return (int) ANSWER_STATUS.invokeExact(answer, 0L, 0L, 0L, nextUpdate);
            } catch (Throwable thrown) {
                throw OpenSslLibrary.unexpected(thrown);
            }
        }

        /** The one of these certificates that the response is about. */
        long subject(List<Long> certificates) throws SSLException {
            try {
                MemorySegment serial = arena.allocate(JAVA_LONG);
                int ignored =
                        (int) ID_INFO.invokeExact(0L, 0L, 0L, serial.address(), (long) ANSWER_ID.invokeExact(answer));
                for (long certificate : certificates) {
                    long own = (long) SERIAL.invokeExact(certificate);
                    if ((int) COMPARE.invokeExact(own, serial.get(JAVA_LONG, 0)) == 0) {
                        return certificate;
                    }
                }
            } catch (Throwable thrown) {
                throw OpenSslLibrary.unexpected(thrown);
            }
            throw new SSLException("this OCSP response is about another certificate than the host's");
        }

        /** The time of the next update, in seconds since 1970; {@link Long#MAX_VALUE} if the responder sets none. */
        long validUntil() {
            try {
                MemorySegment out = arena.allocate(JAVA_LONG);
                int ignored = status(out.address());
                long nextUpdate = out.get(JAVA_LONG, 0);
                if (nextUpdate == 0) {
                    return Long.MAX_VALUE;
                }
                MemorySegment days = arena.allocate(JAVA_INT);
                MemorySegment seconds = arena.allocate(JAVA_INT);
                int parsed = (int) FROM_NOW.invokeExact(days.address(), seconds.address(), 0L, nextUpdate);
                long away = (long) days.get(JAVA_INT, 0) * DAY + seconds.get(JAVA_INT, 0);
                return parsed == 1 ? System.currentTimeMillis() / 1000 + away : 0;
            } catch (Throwable thrown) {
                throw OpenSslLibrary.unexpected(thrown);
            }
        }

        @Override
        public void close() {
            arena.close();
            free(FREE_CONTENT, content);
        }

        private static void free(MethodHandle function, long address) {
            try {
                function.invokeExact(address);
            } catch (Throwable thrown) {
                throw OpenSslLibrary.unexpected(thrown);
            }
        }
    }
}

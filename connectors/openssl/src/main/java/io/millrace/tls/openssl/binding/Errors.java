package io.millrace.tls.openssl.binding;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * The library's error queue, of which each platform thread has one. It is cleared before each call that may fail, and read
 * right after it: nothing in between may make a virtual thread change its carrier.
 */
final class Errors {

    private static final MethodHandle CLEAR = OpenSslLibrary.critical("ERR_clear_error", FunctionDescriptor.ofVoid());
    private static final MethodHandle GET = OpenSslLibrary.ofLong("ERR_get_error");
    private static final MethodHandle REASON = OpenSslLibrary.ofLong("ERR_reason_error_string", JAVA_LONG);
    private static final MethodHandle VERIFY_RESULT = OpenSslLibrary.ofLong("SSL_get_verify_result", JAVA_LONG);
    private static final MethodHandle VERIFY_TEXT = OpenSslLibrary.ofLong("X509_verify_cert_error_string", JAVA_LONG);

    private static final String VERIFY_FAILED = "certificate verify failed";

    private Errors() {}

    static void clear() {
        try {
            CLEAR.invokeExact();
        } catch (Throwable thrown) {
            throw OpenSslLibrary.unexpected(thrown);
        }
    }

    /** Clears the queue and returns its first error, in the library's words. */
    static String drain() {
        String first = null;
        try {
            for (long code = (long) GET.invokeExact(); code != 0; code = (long) GET.invokeExact()) {
                if (first == null) {
                    first = reason(code);
                }
            }
        } catch (Throwable thrown) {
            throw OpenSslLibrary.unexpected(thrown);
        }
        return first == null ? "no reason given" : first;
    }

    private static String reason(long code) throws Throwable {
        String text = OpenSslLibrary.text((long) REASON.invokeExact(code));
        return text == null ? "error " + Long.toHexString(code) : text;
    }

    /**
     * The exception for a failed call of a connection.
     *
     * @param peer {@code client} or {@code server}
     */
    static SSLException failure(long ssl, String peer) {
        String reason = drain();
        if (reason.equals(VERIFY_FAILED)) {
            return new SSLException("the " + peer + "'s certificate is refused: " + verification(verifyResult(ssl)));
        }
        String alert = alert(reason);
        return new SSLException(alert == null ? reason : "the " + peer + " sent an alert: " + alert);
    }

    /** Parses {@code sslv3 alert bad certificate} or {@code tlsv1 alert unknown ca}: the prefix is the version that introduced it. */
    private static @Nullable String alert(String reason) {
        int at = reason.indexOf(" alert ");
        boolean isAlert = at > 0 && (reason.startsWith("sslv3") || reason.startsWith("tlsv1"));
        return isAlert ? reason.substring(at + " alert ".length()) : null;
    }

    /** The result of verifying the peer's certificate; 0 if it is valid, or the peer sent none. */
    static long verifyResult(long ssl) {
        try {
            return (long) VERIFY_RESULT.invokeExact(ssl);
        } catch (Throwable thrown) {
            throw OpenSslLibrary.unexpected(thrown);
        }
    }

    /** A {@link #verifyResult} in the library's words. */
    static String verification(long result) {
        try {
            return String.valueOf(OpenSslLibrary.text((long) VERIFY_TEXT.invokeExact(result)));
        } catch (Throwable thrown) {
            throw OpenSslLibrary.unexpected(thrown);
        }
    }
}

package io.millrace.tls.openssl;

import io.millrace.testkit.Deadline;
import io.millrace.tls.openssl.binding.OpenSsl;

/** What must be gone when nothing is served any more. */
final class Leaks {

    private Leaks() {}

    static void check() {
        Deadline.await(
                "all that OpenSSL holds to be freed: " + text(),
                () -> OpenSsl.liveConnections() == 0 && OpenSsl.liveContexts() == 0 && OpenSsl.lentBuffers() == 0);
    }

    /** Of all kinds. */
    static int count() {
        return OpenSsl.liveConnections() + OpenSsl.liveContexts() + OpenSsl.lentBuffers();
    }

    private static String text() {
        return OpenSsl.liveConnections() + " SSL, " + OpenSsl.liveContexts() + " SSL_CTX, " + OpenSsl.lentBuffers()
                + " pairs of BIO";
    }
}

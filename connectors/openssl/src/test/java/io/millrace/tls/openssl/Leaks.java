package io.millrace.tls.openssl;

import io.millrace.testkit.Deadline;
import io.millrace.tls.openssl.binding.OpenSsl;

/** Native objects that must not exist any more when nothing is served. */
final class Leaks {

    private Leaks() {}

    static void check() {
        Deadline.await(
                "all that OpenSSL holds to be freed: " + text(),
                () -> OpenSsl.liveConnections() == 0 && OpenSsl.liveContexts() == 0 && OpenSsl.leasedBuffers() == 0);
    }

    /** The number of objects of all kinds. */
    static int count() {
        return OpenSsl.liveConnections() + OpenSsl.liveContexts() + OpenSsl.leasedBuffers();
    }

    private static String text() {
        return OpenSsl.liveConnections() + " SSL, " + OpenSsl.liveContexts() + " SSL_CTX, " + OpenSsl.leasedBuffers()
                + " pairs of BIO";
    }
}

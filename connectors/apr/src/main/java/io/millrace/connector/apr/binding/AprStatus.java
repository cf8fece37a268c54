package io.millrace.connector.apr.binding;

import java.io.IOException;
import java.net.SocketException;

/** apr_status_t: errors of the system are errno, APR's own begin at 70000. */
final class AprStatus {

    static final int SUCCESS = 0;
    static final int EINTR = 4;
    static final int EAGAIN = 11;
    static final int ENOTCONN = 107;
    static final int TIMEUP = 70_007;
    static final int EOF = 70_014;

    private AprStatus() {}

    /** What it means that something did not succeed. */
    static IOException failure(String what, int status) {
        return new SocketException("cannot " + what + ": " + AprLibrary.describe(status) + " (" + status + ")");
    }

    static void check(String what, int status) throws IOException {
        if (status != SUCCESS) {
            throw failure(what, status);
        }
    }
}

package io.millrace.connector.apr.binding;

import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;

/** apr_status_t: system errors have the values of errno, APR's own begin at 70000. */
final class AprStatus {

    static final int SUCCESS = 0;
    static final int EINTR = 4;
    static final int EAGAIN = 11;
    static final int EADDRNOTAVAIL = 99;
    static final int ENOTCONN = 107;
    static final int ETIMEDOUT = 110;
    static final int ECONNREFUSED = 111;
    static final int EHOSTUNREACH = 113;
    static final int EINPROGRESS = 115;
    static final int TIMEUP = 70_007;
    static final int EOF = 70_014;

    private AprStatus() {}

    /** The exception for a failed operation. */
    static IOException failure(String what, int status) {
        return new SocketException("cannot " + what + ": " + AprLibrary.describe(status) + " (" + status + ")");
    }

    /** The exception for a failed connection attempt, of the types that the JDK's sockets throw. */
    static IOException connectFailure(int status) {
        String why = AprLibrary.describe(status);
        return switch (status) {
            case ECONNREFUSED, ETIMEDOUT -> new ConnectException(why);
            case EHOSTUNREACH -> new NoRouteToHostException(why);
            case EADDRNOTAVAIL -> new BindException(why);
            default -> new SocketException(why);
        };
    }

    static void check(String what, int status) throws IOException {
        if (status != SUCCESS) {
            throw failure(what, status);
        }
    }
}

package io.millrace.tls.openssl.binding;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;

/** The functions of SSL for handshakes and data. The caller ensures that the SSL has not been freed. */
final class SslCalls {

    /** Results of {@link #error}. */
    static final int ERROR_SSL = 1;

    static final int WANT_READ = 2;
    static final int ZERO_RETURN = 6;

    private static final MethodHandle NEW = OpenSslLibrary.ofLong("SSL_new", JAVA_LONG);
    private static final MethodHandle FREE = OpenSslLibrary.procedure("SSL_free", JAVA_LONG);
    private static final MethodHandle SET_ACCEPT = OpenSslLibrary.procedure("SSL_set_accept_state", JAVA_LONG);
    private static final MethodHandle SET_CONNECT = OpenSslLibrary.procedure("SSL_set_connect_state", JAVA_LONG);
    private static final MethodHandle DO_HANDSHAKE = OpenSslLibrary.ofInt("SSL_do_handshake", JAVA_LONG);
    private static final MethodHandle READ = OpenSslLibrary.ofInt("SSL_read", JAVA_LONG, JAVA_LONG, JAVA_INT);
    private static final MethodHandle WRITE = OpenSslLibrary.ofInt("SSL_write", JAVA_LONG, JAVA_LONG, JAVA_INT);
    private static final MethodHandle SHUTDOWN = OpenSslLibrary.ofInt("SSL_shutdown", JAVA_LONG);
    private static final MethodHandle GET_ERROR =
            OpenSslLibrary.critical("SSL_get_error", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT));

    private SslCalls() {}

    static long create(long context, boolean client) {
        try {
            long ssl = (long) NEW.invokeExact(context);
            if (ssl == 0) {
                throw new OutOfMemoryError("OpenSSL has no memory for a connection: " + Errors.drain());
            }
            if (client) {
                SET_CONNECT.invokeExact(ssl);
            } else {
                SET_ACCEPT.invokeExact(ssl);
            }
            return ssl;
        } catch (Throwable thrown) {
            throw OpenSslLibrary.unexpected(thrown);
        }
    }

    static void free(long ssl) {
        try {
            FREE.invokeExact(ssl);
        } catch (Throwable thrown) {
            throw OpenSslLibrary.unexpected(thrown);
        }
    }

    static int doHandshake(long ssl) {
        try {
            return (int) DO_HANDSHAKE.invokeExact(ssl);
        } catch (Throwable thrown) {
            throw OpenSslLibrary.unexpected(thrown);
        }
    }

    static int read(long ssl, long plain, int room) {
        try {
            return (int) READ.invokeExact(ssl, plain, room);
        } catch (Throwable thrown) {
            throw OpenSslLibrary.unexpected(thrown);
        }
    }

    static int write(long ssl, long plain, int count) {
        try {
            return (int) WRITE.invokeExact(ssl, plain, count);
        } catch (Throwable thrown) {
            throw OpenSslLibrary.unexpected(thrown);
        }
    }

    static int shutdown(long ssl) {
        try {
            return (int) SHUTDOWN.invokeExact(ssl);
        } catch (Throwable thrown) {
            throw OpenSslLibrary.unexpected(thrown);
        }
    }

    static int error(long ssl, int result) {
        try {
            return (int) GET_ERROR.invokeExact(ssl, result);
        } catch (Throwable thrown) {
            throw OpenSslLibrary.unexpected(thrown);
        }
    }
}

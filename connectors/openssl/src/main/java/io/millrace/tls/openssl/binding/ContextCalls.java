package io.millrace.tls.openssl.binding;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.invoke.MethodHandle;
import javax.net.ssl.SSLException;

/** The functions of SSL_CTX. The caller ensures that the context has not been freed. */
final class ContextCalls {

    // commands for control()

    static final int CTRL_MODE = 33;
    static final int CTRL_SESSION_CACHE_SIZE = 42;
    static final int CTRL_SESSION_CACHE_MODE = 44;
    static final int CTRL_STAPLING_CALLBACK = 63;
    static final int CTRL_STAPLING_ARGUMENT = 64;
    static final int CTRL_CHAIN_CERTIFICATE = 89;
    static final int CTRL_DH_AUTO = 118;
    static final int CTRL_MIN_VERSION = 123;
    static final int CTRL_MAX_VERSION = 124;

    private static final MethodHandle SERVER = OpenSslLibrary.ofLong("TLS_server_method");
    private static final MethodHandle CLIENT = OpenSslLibrary.ofLong("TLS_client_method");
    private static final MethodHandle NEW = OpenSslLibrary.ofLong("SSL_CTX_new", JAVA_LONG);
    private static final MethodHandle FREE = OpenSslLibrary.procedure("SSL_CTX_free", JAVA_LONG);
    private static final MethodHandle CONTROL =
            OpenSslLibrary.ofLong("SSL_CTX_ctrl", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle CALLBACK_CONTROL =
            OpenSslLibrary.ofLong("SSL_CTX_callback_ctrl", JAVA_LONG, JAVA_INT, JAVA_LONG);
    private static final MethodHandle OPTIONS = OpenSslLibrary.ofLong("SSL_CTX_set_options", JAVA_LONG, JAVA_LONG);
    private static final MethodHandle CIPHERS = OpenSslLibrary.ofInt("SSL_CTX_set_cipher_list", JAVA_LONG, JAVA_LONG);
    private static final MethodHandle CIPHERS_13 =
            OpenSslLibrary.ofInt("SSL_CTX_set_ciphersuites", JAVA_LONG, JAVA_LONG);
    private static final MethodHandle GET_CIPHERS = OpenSslLibrary.ofLong("SSL_CTX_get_ciphers", JAVA_LONG);
    private static final MethodHandle CERTIFICATE =
            OpenSslLibrary.ofInt("SSL_CTX_use_certificate", JAVA_LONG, JAVA_LONG);
    private static final MethodHandle KEY = OpenSslLibrary.ofInt("SSL_CTX_use_PrivateKey", JAVA_LONG, JAVA_LONG);
    private static final MethodHandle TIMEOUT = OpenSslLibrary.ofLong("SSL_CTX_set_timeout", JAVA_LONG, JAVA_LONG);
    private static final MethodHandle SESSION_ID_CONTEXT =
            OpenSslLibrary.ofInt("SSL_CTX_set_session_id_context", JAVA_LONG, JAVA_LONG, JAVA_INT);
    private static final MethodHandle VERIFY =
            OpenSslLibrary.procedure("SSL_CTX_set_verify", JAVA_LONG, JAVA_INT, JAVA_LONG);
    private static final MethodHandle VERIFY_DEPTH =
            OpenSslLibrary.procedure("SSL_CTX_set_verify_depth", JAVA_LONG, JAVA_INT);
    private static final MethodHandle STORE = OpenSslLibrary.ofLong("SSL_CTX_get_cert_store", JAVA_LONG);
    private static final MethodHandle STORE_CERTIFICATE =
            OpenSslLibrary.ofInt("X509_STORE_add_cert", JAVA_LONG, JAVA_LONG);
    private static final MethodHandle STORE_LIST = OpenSslLibrary.ofInt("X509_STORE_add_crl", JAVA_LONG, JAVA_LONG);
    private static final MethodHandle STORE_FLAGS = OpenSslLibrary.ofInt("X509_STORE_set_flags", JAVA_LONG, JAVA_LONG);
    private static final MethodHandle CLIENT_AUTHORITY =
            OpenSslLibrary.ofInt("SSL_CTX_add_client_CA", JAVA_LONG, JAVA_LONG);
    private static final MethodHandle ALPN =
            OpenSslLibrary.procedure("SSL_CTX_set_alpn_select_cb", JAVA_LONG, JAVA_LONG, JAVA_LONG);

    private static final MethodHandle OFFER =
            OpenSslLibrary.ofInt("SSL_CTX_set_alpn_protos", JAVA_LONG, JAVA_LONG, JAVA_INT);

    private ContextCalls() {}

    static long create(boolean client) {
        try {
            Errors.clear();
            long method = client ? (long) CLIENT.invokeExact() : (long) SERVER.invokeExact();
            long context = (long) NEW.invokeExact(method);
            if (context == 0) {
                throw new IllegalStateException("OpenSSL cannot create a context: " + Errors.drain());
            }
            return context;
        } catch (Throwable thrown) {
            throw OpenSslLibrary.unexpected(thrown);
        }
    }

    static void free(long context) {
        try {
            FREE.invokeExact(context);
        } catch (Throwable thrown) {
            throw OpenSslLibrary.unexpected(thrown);
        }
    }

    static long control(long context, int command, long number, long pointer) {
        try {
            return (long) CONTROL.invokeExact(context, command, number, pointer);
        } catch (Throwable thrown) {
            throw OpenSslLibrary.unexpected(thrown);
        }
    }

    static void options(long context, long bits) {
        try {
            long ignored = (long) OPTIONS.invokeExact(context, bits);
        } catch (Throwable thrown) {
            throw OpenSslLibrary.unexpected(thrown);
        }
    }

    /** Sets the ciphers up to TLS 1.2, a list as in ciphers(1). */
    static void ciphers(long context, String list) throws SSLException {
        check("use the cipher list " + list, text(CIPHERS, context, list));
    }

    /** Sets the cipher suites of TLS 1.3, by their names. */
    static void ciphers13(long context, String names) throws SSLException {
        check("use the cipher suites " + names, text(CIPHERS_13, context, names));
    }

    private static int text(MethodHandle function, long context, String text) {
        try (Arena arena = Arena.ofConfined()) {
            Errors.clear();
            return (int) function.invokeExact(context, arena.allocateFrom(text).address());
        } catch (Throwable thrown) {
            throw OpenSslLibrary.unexpected(thrown);
        }
    }

    /** The context's ciphers: a stack of SSL_CIPHER. */
    static long ciphers(long context) {
        try {
            return (long) GET_CIPHERS.invokeExact(context);
        } catch (Throwable thrown) {
            throw OpenSslLibrary.unexpected(thrown);
        }
    }

    static void certificate(long context, long certificate) throws SSLException {
        check("use this certificate", pair(CERTIFICATE, context, certificate));
    }

    static void chainCertificate(long context, long certificate) throws SSLException {
        Errors.clear();
        check("use this chain", (int) control(context, CTRL_CHAIN_CERTIFICATE, 1, certificate));
    }

    static void key(long context, long key) throws SSLException {
        check("use this private key", pair(KEY, context, key));
    }

    static void timeout(long context, long seconds) {
        try {
            long ignored = (long) TIMEOUT.invokeExact(context, seconds);
        } catch (Throwable thrown) {
            throw OpenSslLibrary.unexpected(thrown);
        }
    }

    static void sessionIdContext(long context, byte[] id) throws SSLException {
        try (Arena arena = Arena.ofConfined()) {
            long address = arena.allocateFrom(JAVA_BYTE, id).address();
            check("set the session id context", (int) SESSION_ID_CONTEXT.invokeExact(context, address, id.length));
        } catch (SSLException failed) {
            throw failed;
        } catch (Throwable thrown) {
            throw OpenSslLibrary.unexpected(thrown);
        }
    }

    static void verify(long context, int mode, long callback) {
        try {
            VERIFY.invokeExact(context, mode, callback);
        } catch (Throwable thrown) {
            throw OpenSslLibrary.unexpected(thrown);
        }
    }

    static void verifyDepth(long context, int depth) {
        try {
            VERIFY_DEPTH.invokeExact(context, depth);
        } catch (Throwable thrown) {
            throw OpenSslLibrary.unexpected(thrown);
        }
    }

    static void trust(long context, long certificate) throws SSLException {
        check("trust an authority", pair(STORE_CERTIFICATE, store(context), certificate));
    }

    /** Adds an authority to those announced to clients. */
    static void announce(long context, long certificate) throws SSLException {
        check("announce an authority", pair(CLIENT_AUTHORITY, context, certificate));
    }

    static void revocationList(long context, long list) throws SSLException {
        check("use a revocation list", pair(STORE_LIST, store(context), list));
    }

    static void storeFlags(long context, long flags) throws SSLException {
        check("set the verification flags", pair(STORE_FLAGS, store(context), flags));
    }

    private static long store(long context) {
        try {
            return (long) STORE.invokeExact(context);
        } catch (Throwable thrown) {
            throw OpenSslLibrary.unexpected(thrown);
        }
    }

    /** Sets the protocols that a client offers: names, each preceded by its length. */
    static void offer(long context, byte[] protocols) throws SSLException {
        try (Arena arena = Arena.ofConfined()) {
            Errors.clear();
            long address = arena.allocateFrom(JAVA_BYTE, protocols).address();
            // unlike all others this function returns 0 for success
            check("set the ALPN protocols", 1 - (int) OFFER.invokeExact(context, address, protocols.length));
        } catch (SSLException failed) {
            throw failed;
        } catch (Throwable thrown) {
            throw OpenSslLibrary.unexpected(thrown);
        }
    }

    /** The memory that the argument points to must outlive the context. */
    static void alpn(long context, long callback, long argument) {
        try {
            ALPN.invokeExact(context, callback, argument);
        } catch (Throwable thrown) {
            throw OpenSslLibrary.unexpected(thrown);
        }
    }

    /** The memory that the argument points to must outlive the context. */
    static void staple(long context, long callback, long argument) {
        try {
            long ignored = (long) CALLBACK_CONTROL.invokeExact(context, CTRL_STAPLING_CALLBACK, callback);
        } catch (Throwable thrown) {
            throw OpenSslLibrary.unexpected(thrown);
        }
        control(context, CTRL_STAPLING_ARGUMENT, 0, argument);
    }

    private static int pair(MethodHandle function, long first, long second) {
        try {
            Errors.clear();
            return (int) function.invokeExact(first, second);
        } catch (Throwable thrown) {
            throw OpenSslLibrary.unexpected(thrown);
        }
    }

    private static void check(String what, int result) throws SSLException {
        if (result != 1) {
            throw new SSLException("OpenSSL cannot " + what + ": " + Errors.drain());
        }
    }
}

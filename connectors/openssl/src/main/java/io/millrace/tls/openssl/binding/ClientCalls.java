package io.millrace.tls.openssl.binding;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** The functions of SSL that only clients call. The caller ensures that the SSL has not been freed. */
final class ClientCalls {

    private static final int CTRL_SERVER_NAME = 55;
    private static final long HOST_NAME = 0;

    /** Match neither {@code f*.example.com}, nor the common name of a certificate (RFC 9525, 6.3 and 6.4.4). */
    private static final int HOST_RULES = 0x4 | 0x20;

    private static final MethodHandle CONTROL =
            OpenSslLibrary.ofLong("SSL_ctrl", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle HOST_FLAGS = OpenSslLibrary.procedure("SSL_set_hostflags", JAVA_LONG, JAVA_INT);
    private static final MethodHandle HOST = OpenSslLibrary.ofInt("SSL_set1_host", JAVA_LONG, JAVA_LONG);
    private static final MethodHandle PARAMETERS = OpenSslLibrary.ofLong("SSL_get0_param", JAVA_LONG);
    private static final MethodHandle ADDRESS =
            OpenSslLibrary.ofInt("X509_VERIFY_PARAM_set1_ip", JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle PEER = OpenSslLibrary.ofLong("SSL_get0_peer_certificate", JAVA_LONG);
    private static final MethodHandle SESSION = OpenSslLibrary.ofLong("SSL_get_session", JAVA_LONG);
    private static final MethodHandle SET_SESSION = OpenSslLibrary.ofInt("SSL_set_session", JAVA_LONG, JAVA_LONG);
    private static final MethodHandle SESSION_FREE = OpenSslLibrary.procedure("SSL_SESSION_free", JAVA_LONG);
    private static final MethodHandle RESUMABLE = OpenSslLibrary.ofInt("SSL_SESSION_is_resumable", JAVA_LONG);
    private static final MethodHandle SESSION_TO = OpenSslLibrary.ofInt("i2d_SSL_SESSION", JAVA_LONG, JAVA_LONG);
    private static final MethodHandle SESSION_OF =
            OpenSslLibrary.ofLong("d2i_SSL_SESSION", JAVA_LONG, JAVA_LONG, JAVA_LONG);

    private ClientCalls() {}

    /** Sets the server name to be sent (SNI). */
    static void serverName(long ssl, String name) throws SSLException {
        try (Arena arena = Arena.ofConfined()) {
            Errors.clear();
            long address = arena.allocateFrom(name).address();
            check("set the server name", (long) CONTROL.invokeExact(ssl, CTRL_SERVER_NAME, HOST_NAME, address) == 1);
        } catch (SSLException failed) {
            throw failed;
        } catch (Throwable thrown) {
            throw OpenSslLibrary.unexpected(thrown);
        }
    }

    /** Requires the server's certificate to be for this host. */
    static void expectHost(long ssl, String name) throws SSLException {
        try (Arena arena = Arena.ofConfined()) {
            Errors.clear();
            HOST_FLAGS.invokeExact(ssl, HOST_RULES);
            check(
                    "set the expected host name",
                    (int) HOST.invokeExact(ssl, arena.allocateFrom(name).address()) == 1);
        } catch (SSLException failed) {
            throw failed;
        } catch (Throwable thrown) {
            throw OpenSslLibrary.unexpected(thrown);
        }
    }

    /** Requires the server's certificate to be for this address. */
    static void expectAddress(long ssl, byte[] address) throws SSLException {
        try (Arena arena = Arena.ofConfined()) {
            Errors.clear();
            HOST_FLAGS.invokeExact(ssl, HOST_RULES);
            long parameters = (long) PARAMETERS.invokeExact(ssl);
            long bytes = arena.allocateFrom(JAVA_BYTE, address).address();
            check("set the expected address", (int) ADDRESS.invokeExact(parameters, bytes, (long) address.length) == 1);
        } catch (SSLException failed) {
            throw failed;
        } catch (Throwable thrown) {
            throw OpenSslLibrary.unexpected(thrown);
        }
    }

    /** Whether the server has sent a certificate. */
    static boolean hasPeer(long ssl) {
        try {
            return (long) PEER.invokeExact(ssl) != 0;
        } catch (Throwable thrown) {
            throw OpenSslLibrary.unexpected(thrown);
        }
    }

    /** The address of the connection's session. A ticket from the server replaces the session with another one. */
    static long session(long ssl) {
        try {
            return (long) SESSION.invokeExact(ssl);
        } catch (Throwable thrown) {
            throw OpenSslLibrary.unexpected(thrown);
        }
    }

    /** The session as bytes, with its keys; null if it cannot be resumed. */
    static byte @Nullable [] encoded(long session) {
        try (Arena arena = Arena.ofConfined()) {
            if (session == 0 || (int) RESUMABLE.invokeExact(session) != 1) {
                return null;
            }
            int length = (int) SESSION_TO.invokeExact(session, 0L);
            if (length <= 0) {
                return null;
            }
            MemorySegment bytes = arena.allocate(length);
            MemorySegment at = arena.allocateFrom(JAVA_LONG, bytes.address());
            int written = (int) SESSION_TO.invokeExact(session, at.address());
            try {
                return bytes.asSlice(0, written).toArray(JAVA_BYTE);
            } finally {
                bytes.fill((byte) 0);
            }
        } catch (Throwable thrown) {
            throw OpenSslLibrary.unexpected(thrown);
        }
    }

    /** Offers an {@link #encoded} session. False if it cannot be used. */
    static boolean resume(long ssl, byte[] encoded) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocateFrom(JAVA_BYTE, encoded);
            MemorySegment at = arena.allocateFrom(JAVA_LONG, bytes.address());
            Errors.clear();
            long session = (long) SESSION_OF.invokeExact(0L, at.address(), bytes.byteSize());
            bytes.fill((byte) 0);
            if (session == 0) {
                return false;
            }
            try {
                return (int) SET_SESSION.invokeExact(ssl, session) == 1;
            } finally {
                SESSION_FREE.invokeExact(session);
            }
        } catch (Throwable thrown) {
            throw OpenSslLibrary.unexpected(thrown);
        }
    }

    private static void check(String what, boolean done) throws SSLException {
        if (!done) {
            throw new SSLException("OpenSSL cannot " + what + ": " + Errors.drain());
        }
    }
}

package io.millrace.tls.openssl.binding;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.millrace.natives.Pointers;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of a handshake, copied from the library at its end, so that it outlives the connection.
 *
 * @param id identifies the session whenever it is resumed; read-only, and its position does not change
 * @param protocol the version, such as {@code TLSv1.3}
 * @param cipherSuite the IANA name
 * @param applicationProtocol selected by ALPN; null if none
 * @param resumed whether the session was created by an earlier connection
 * @param created when the session began, in seconds since 1970
 * @param peerCertificates in DER, the peer's own first; empty if it sent none
 */
public record NegotiatedSession(
        ByteBuffer id,
        String protocol,
        String cipherSuite,
        @Nullable String applicationProtocol,
        boolean resumed,
        long created,
        List<byte[]> peerCertificates) {

    private static final MethodHandle VERSION = OpenSslLibrary.ofLong("SSL_get_version", JAVA_LONG);
    private static final MethodHandle CIPHER = OpenSslLibrary.ofLong("SSL_get_current_cipher", JAVA_LONG);
    private static final MethodHandle CIPHER_NAME = OpenSslLibrary.ofLong("SSL_CIPHER_standard_name", JAVA_LONG);
    private static final MethodHandle ALPN =
            OpenSslLibrary.procedure("SSL_get0_alpn_selected", JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle REUSED = OpenSslLibrary.ofInt("SSL_session_reused", JAVA_LONG);
    private static final MethodHandle SESSION = OpenSslLibrary.ofLong("SSL_get_session", JAVA_LONG);
    private static final MethodHandle TIME = OpenSslLibrary.ofLong("SSL_SESSION_get_time", JAVA_LONG);
    private static final MethodHandle GET_MARK =
            OpenSslLibrary.ofInt("SSL_SESSION_get0_ticket_appdata", JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle SET_MARK =
            OpenSslLibrary.ofInt("SSL_SESSION_set1_ticket_appdata", JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private static final MethodHandle PEER = OpenSslLibrary.ofLong("SSL_get1_peer_certificate", JAVA_LONG);
    private static final MethodHandle CHAIN = OpenSslLibrary.ofLong("SSL_get_peer_cert_chain", JAVA_LONG);
    private static final MethodHandle COUNT = OpenSslLibrary.ofInt("OPENSSL_sk_num", JAVA_LONG);
    private static final MethodHandle ELEMENT = OpenSslLibrary.ofLong("OPENSSL_sk_value", JAVA_LONG, JAVA_INT);

    /**
     * Stores the mark in a new session, to identify it when it is resumed: a TLS 1.3 session has no permanent id of its own.
     *
     * @param room for results
     */
    static void mark(long ssl, byte[] mark, MemorySegment room) {
        try {
            long session = (long) SESSION.invokeExact(ssl);
            if (session != 0 && markOf(session, room) == null) {
                MemorySegment.copy(mark, 0, room, ValueLayout.JAVA_BYTE, 0, mark.length);
                int ignored = (int) SET_MARK.invokeExact(session, room.address(), (long) mark.length);
            }
        } catch (Throwable thrown) {
            throw OpenSslLibrary.unexpected(thrown);
        }
    }

    /**
     * The session of a server's connection whose handshake is complete.
     *
     * @param room for results
     */
    static NegotiatedSession ofServer(long ssl, byte[] mark, MemorySegment room) {
        try {
            boolean resumed = (int) REUSED.invokeExact(ssl) == 1;
            byte[] id = resumed ? markOf((long) SESSION.invokeExact(ssl), room) : mark;
            return of(ssl, resumed, id == null ? mark : id, clientCertificates(ssl), room);
        } catch (Throwable thrown) {
            throw OpenSslLibrary.unexpected(thrown);
        }
    }

    /**
     * The session of a client's connection whose handshake is complete.
     *
     * @param mark the mark of a new session
     * @param offered the mark of the session that the client offered to resume; null if there was none
     * @param room for results
     */
    static NegotiatedSession ofClient(long ssl, byte[] mark, byte @Nullable [] offered, MemorySegment room) {
        try {
            boolean resumed = (int) REUSED.invokeExact(ssl) == 1;
            return of(ssl, resumed, resumed && offered != null ? offered : mark, serverCertificates(ssl), room);
        } catch (Throwable thrown) {
            throw OpenSslLibrary.unexpected(thrown);
        }
    }

    private static NegotiatedSession of(
            long ssl, boolean resumed, byte[] id, List<byte[]> certificates, MemorySegment room) throws Throwable {
        long cipher = (long) CIPHER.invokeExact(ssl);
        return new NegotiatedSession(
                ByteBuffer.wrap(id).asReadOnlyBuffer(),
                OpenSslLibrary.constant((long) VERSION.invokeExact(ssl)),
                OpenSslLibrary.constant((long) CIPHER_NAME.invokeExact(cipher)),
                applicationProtocol(ssl, room),
                resumed,
                (long) TIME.invokeExact((long) SESSION.invokeExact(ssl)),
                certificates);
    }

    private static byte @Nullable [] markOf(long session, MemorySegment room) throws Throwable {
        long out = room.address();
        int ignored = (int) GET_MARK.invokeExact(session, out, out + 8);
        long address = room.get(JAVA_LONG, 0);
        long length = room.get(JAVA_LONG, 8);
        return address == 0 || length == 0 ? null : Pointers.at(address, length).toArray(ValueLayout.JAVA_BYTE);
    }

    private static @Nullable String applicationProtocol(long ssl, MemorySegment room) throws Throwable {
        long out = room.address();
        ALPN.invokeExact(ssl, out, out + 8);
        long address = room.get(JAVA_LONG, 0);
        int length = room.get(JAVA_INT, 8);
        return address == 0 || length == 0
                ? null
                : new String(Pointers.at(address, length).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.ISO_8859_1);
    }

    /** On servers the library's chain lacks the client's own certificate; a resumed session has only that one. */
    private static List<byte[]> clientCertificates(long ssl) throws Throwable {
        List<byte[]> found = new ArrayList<>();
        addOwn(ssl, found);
        if (!found.isEmpty()) {
            addChain(ssl, found);
        }
        return List.copyOf(found);
    }

    /** On clients the library's chain begins with the server's own certificate. A resumed session has no chain. */
    private static List<byte[]> serverCertificates(long ssl) throws Throwable {
        List<byte[]> found = new ArrayList<>();
        addChain(ssl, found);
        if (found.isEmpty()) {
            addOwn(ssl, found);
        }
        return List.copyOf(found);
    }

    private static void addOwn(long ssl, List<byte[]> found) throws Throwable {
        long own = (long) PEER.invokeExact(ssl);
        if (own != 0) {
            try {
                found.add(Certificates.encoded(own));
            } finally {
                Certificates.free(own);
            }
        }
    }

    private static void addChain(long ssl, List<byte[]> found) throws Throwable {
        long chain = (long) CHAIN.invokeExact(ssl);
        int count = chain == 0 ? 0 : (int) COUNT.invokeExact(chain);
        for (int i = 0; i < count; i++) {
            found.add(Certificates.encoded((long) ELEMENT.invokeExact(chain, i)));
        }
    }
}

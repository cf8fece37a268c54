package io.millrace.tls;

import java.nio.ByteBuffer;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * The cryptography of one TLS connection, server or client side: ciphertext in, plaintext out, and the reverse. Does no
 * I/O, has no thread, and never blocks. Renegotiation is always rejected.
 *
 * <p><b>Threads.</b> {@link #unwrap} is called by the owner of the connection's input, {@link #wrap} by the writing
 * thread. Both may be called at the same time by different threads; the engine synchronizes them.
 */
public interface TlsEngine {

    /** The result of a call. */
    enum Status {
        /** Bytes were consumed or produced; further calls may make further progress. */
        PROGRESS,
        /** No progress is possible without further ciphertext from the peer. */
        NEEDS_INPUT,
        /** The destination has too little room for the next record. */
        NEEDS_ROOM,
        /** The task of {@link TlsEngine#takeTask} must run first. Bytes may have been consumed nevertheless. */
        NEEDS_TASK,
        /** Handshake messages must be sent first: call {@link TlsEngine#wrap}. */
        NEEDS_WRAP,
        /** This direction has ended: the peer's close_notify was read, or ours was produced. */
        CLOSED
    }

    /** Room for any encrypted record, in bytes: header, 16 KiB, and the expansion by encryption. */
    int MAX_OUTPUT = 5 + 16 * 1024 + 2048;

    /**
     * Processes one record: decrypts it, or continues the handshake.
     *
     * @param cipher from the peer, beginning with a complete record; the consumed part may be overwritten
     * @param plain receives decrypted bytes; 16 KiB of room are always sufficient
     * @throws SSLException if the peer violated the protocol; the alert for it must then be sent with {@link #wrap}
     */
    Status unwrap(ByteBuffer cipher, ByteBuffer plain) throws SSLException;

    /**
     * Produces one record: pending handshake messages and alerts, or otherwise encrypted bytes.
     *
     * @param plain the bytes to send, in order; positions are advanced
     * @param cipher receives the record; {@link #MAX_OUTPUT} bytes of room are always sufficient
     */
    Status wrap(ByteBuffer[] plain, ByteBuffer cipher) throws SSLException;

    /**
     * The minimum room that {@link #wrap} needs, in bytes: {@link #MAX_OUTPUT}, unless the engine buffers the part of a
     * record that does not fit, which the next call then produces.
     */
    int leastRoom();

    /**
     * Whether handshake messages or alerts are pending, which {@link #wrap} must produce even if the application writes
     * nothing.
     */
    boolean hasOutput();

    /** Whether the handshake is not complete yet. */
    boolean isHandshaking();

    /** A computation that would take too long for an I/O thread; null if there is none. Run it, then repeat the call. */
    @Nullable
    Runnable takeTask();

    /** Ends the output: the next {@link #wrap} produces close_notify. */
    void closeOutput();

    /** The session; complete after the handshake. */
    SSLSession session();

    /** Whether the handshake resumed an earlier session; known after it. */
    boolean isResumed();

    /** The protocol selected by ALPN, known after the handshake; null if there is none. */
    @Nullable
    String applicationProtocol();

    /** Releases memory outside the Java heap. Called once, by any thread; later calls of the engine fail. */
    void release();
}

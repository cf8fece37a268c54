package io.millrace.tls;

import java.nio.ByteBuffer;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * The cryptography of one TLS connection, server side: cipher bytes in and plain bytes out, and the reverse. It does no
 * I/O, owns no thread and waits for nothing. One thread at a time uses it, whoever owns the connection. Renegotiation is
 * always refused.
 */
public interface TlsEngine {

    /** What a call came to. */
    enum Status {
        /** Something was consumed or produced; calling again may bring more. */
        PROGRESS,
        /** Nothing more to be had without further cipher bytes from the peer. */
        NEEDS_INPUT,
        /** The destination has too little room for the next piece: at most {@link TlsEngine#MOST_OUTPUT} are needed. */
        NEEDS_ROOM,
        /** {@link TlsEngine#takeTask} has something that must run first. */
        NEEDS_TASK,
        /** This direction has ended: the peer's close_notify was read, or ours was produced. */
        CLOSED
    }

    /** Room that is always enough for one record, either way: 16 KiB of plain bytes and what encryption adds. */
    int MOST_OUTPUT = 16 * 1024 + 2048;

    /**
     * Decrypts what there is of complete records; drives the handshake as far as input goes.
     *
     * @param cipher from the peer; what was not consumed is to be given again, followed by more
     * @param plain where decrypted bytes go
     * @throws SSLException if the peer broke the protocol; the alert that says so is then there to {@link #wrap}
     */
    Status unwrap(ByteBuffer cipher, ByteBuffer plain) throws SSLException;

    /**
     * Encrypts what fits; with nothing to encrypt, produces handshake messages and alerts that are due.
     *
     * @param plain to be sent, in order; positions move
     * @param cipher where encrypted bytes go
     */
    Status wrap(ByteBuffer[] plain, ByteBuffer cipher) throws SSLException;

    /** True if there are handshake messages or alerts to {@link #wrap} and send, whatever the application has to say. */
    boolean hasOutput();

    /** True until the handshake is complete. */
    boolean isHandshaking();

    /** Work too long for a thread that serves many connections; null if there is none. Run it, then call again. */
    @Nullable
    Runnable takeTask();

    /** No more output: the next {@link #wrap} produces close_notify. */
    void closeOutput();

    /** The session; complete after the handshake. */
    SSLSession session();

    /** The protocol chosen by ALPN; null if none was. Known after the handshake. */
    @Nullable
    String applicationProtocol();

    /** Gives back what the engine holds outside the Java heap. The last call. */
    void release();
}

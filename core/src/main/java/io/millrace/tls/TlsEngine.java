package io.millrace.tls;

import java.nio.ByteBuffer;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * The cryptography of one TLS connection, server or client side: cipher bytes in and plain bytes out, and the reverse. It does no
 * I/O, owns no thread and waits for nothing. Renegotiation is always refused.
 *
 * <p><b>Threads.</b> {@link #unwrap} is called by the owner of the connection's input, {@link #wrap} by the writing thread. They
 * may be two threads at the same moment: the engine sees to it that they do each other no harm.
 */
public interface TlsEngine {

    /** What a call came to. */
    enum Status {
        /** Something was consumed or produced; calling again may bring more. */
        PROGRESS,
        /** Nothing more to be had without further cipher bytes from the peer. */
        NEEDS_INPUT,
        /** The destination has too little room for the next record. */
        NEEDS_ROOM,
        /** {@link TlsEngine#takeTask} has something that must run first; something may have been consumed all the same. */
        NEEDS_TASK,
        /** Handshake messages are due and must be sent first: {@link TlsEngine#wrap}. */
        NEEDS_WRAP,
        /** This direction has ended: the peer's close_notify was read, or ours was produced. */
        CLOSED
    }

    /** Room that is always enough for one encrypted record: its head, 16 KiB, and what encryption may add. */
    int MOST_OUTPUT = 5 + 16 * 1024 + 2048;

    /**
     * Takes one record: decrypts it, or goes on with the handshake by it.
     *
     * @param cipher from the peer, beginning with a whole record; may be overwritten as far as it is consumed
     * @param plain where decrypted bytes go; 16 KiB of room are always enough
     * @throws SSLException if the peer broke the protocol; the alert that says so is then there to {@link #wrap}
     */
    Status unwrap(ByteBuffer cipher, ByteBuffer plain) throws SSLException;

    /**
     * Produces one record: handshake messages and alerts that are due, or else bytes to be sent.
     *
     * @param plain to be sent, in order; positions move
     * @param cipher where the record goes; {@link #MOST_OUTPUT} bytes of room are always enough
     */
    Status wrap(ByteBuffer[] plain, ByteBuffer cipher) throws SSLException;

    /**
     * How much room {@link #wrap} needs at least: {@link #MOST_OUTPUT}, unless the engine keeps what a record has more than
     * there is room for. The rest is then its output, to be wrapped next.
     */
    int leastRoom();

    /** True if there are handshake messages or alerts to {@link #wrap} and send, even if the application writes nothing. */
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

    /** Gives back what the engine holds outside the Java heap. Any thread, once; using the engine afterwards fails. */
    void release();
}

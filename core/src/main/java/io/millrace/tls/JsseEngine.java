package io.millrace.tls;

import java.nio.ByteBuffer;
import java.util.Objects;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * The JDK's TLS. It guards itself against two threads, and so does this.
 *
 * <p>Its {@code unwrap} wants room for a little more than a record can hold, because it reckons with padding. A second
 * buffer behind the chunk gives it that room; no byte ever gets there.
 */
public final class JsseEngine implements TlsEngine {

    private static final byte HANDSHAKE_RECORD = 22;
    private static final ByteBuffer SPARE_ROOM = ByteBuffer.allocate(2048);

    private final SSLEngine engine;
    private final ByteBuffer[] room = {SPARE_ROOM, SPARE_ROOM.duplicate()};
    private volatile boolean established;
    private boolean mayRenegotiate;

    /**
     * Around an engine that nobody used yet.
     *
     * @param engine in server mode, with its parameters set
     * @throws SSLException if it can't begin a handshake
     */
    public JsseEngine(SSLEngine engine) throws SSLException {
        this.engine = engine;
        engine.beginHandshake();
    }

    @Override
    public Status unwrap(ByteBuffer cipher, ByteBuffer plain) throws SSLException {
        if (established && mayRenegotiate && cipher.hasRemaining()) {
            refuseRenegotiation(cipher.get(cipher.position()));
        }
        room[0] = plain;
        SSLEngineResult result;
        try {
            result = engine.unwrap(cipher, room);
        } finally {
            room[0] = SPARE_ROOM; // keeps no hold of the chunk
        }
        if (room[1].position() != 0) {
            throw new SSLException("the peer sent a record of more than 16 KiB");
        }
        return status(result);
    }

    /**
     * Up to TLS 1.2 the only handshake message that a client can send after the handshake is one that begins another: a way
     * to make the server work (CVE-2011-1473) that no client of today needs. No close_notify follows: the end is no orderly one.
     */
    private void refuseRenegotiation(byte contentType) throws SSLException {
        if (contentType == HANDSHAKE_RECORD) {
            throw new SSLException("the client asked for renegotiation, which is refused");
        }
    }

    @Override
    public Status wrap(ByteBuffer[] plain, ByteBuffer cipher) throws SSLException {
        return status(engine.wrap(plain, cipher));
    }

    private static Status status(SSLEngineResult result) {
        return switch (result.getStatus()) {
            case BUFFER_UNDERFLOW -> Status.NEEDS_INPUT;
            case BUFFER_OVERFLOW -> Status.NEEDS_ROOM;
            case CLOSED -> Status.CLOSED;
            case OK -> progress(result);
        };
    }

    private static Status progress(SSLEngineResult result) {
        if (result.bytesConsumed() > 0 || result.bytesProduced() > 0) {
            return Status.PROGRESS;
        }
        return switch (result.getHandshakeStatus()) {
            case NEED_TASK -> Status.NEEDS_TASK;
            case NEED_WRAP -> Status.NEEDS_WRAP;
            case NEED_UNWRAP -> Status.NEEDS_INPUT;
            case NEED_UNWRAP_AGAIN, FINISHED, NOT_HANDSHAKING -> Status.PROGRESS;
        };
    }

    @Override
    public boolean hasOutput() {
        return engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP && !engine.isOutboundDone();
    }

    @Override
    public boolean isHandshaking() {
        if (!established && engine.getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING) {
            mayRenegotiate = !Objects.equals(engine.getSession().getProtocol(), "TLSv1.3");
            established = true;
        }
        return !established;
    }

    /** Failures of a task are remembered by the JDK's engine, and thrown by the next call. */
    @Override
    public @Nullable Runnable takeTask() {
        return engine.getDelegatedTask();
    }

    @Override
    public void closeOutput() {
        engine.closeOutbound();
    }

    @Override
    public SSLSession session() {
        return engine.getSession();
    }

    @Override
    public @Nullable String applicationProtocol() {
        String chosen = engine.getApplicationProtocol();
        return chosen == null || chosen.isEmpty() ? null : chosen;
    }

    @Override
    public void release() {
        // all of it is on the heap
    }
}

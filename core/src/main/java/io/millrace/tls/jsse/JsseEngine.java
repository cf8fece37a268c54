package io.millrace.tls.jsse;

import io.millrace.tls.TlsEngine;
import java.nio.ByteBuffer;
import java.util.Objects;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * The JDK's TLS. It guards itself against two threads, by a lock that each question takes as well; so what its answers say
 * anyway is remembered here.
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
     * There is something to wrap. Whoever makes it so sets this afterwards; only who wraps clears it, before he does. So it
     * may be true for nothing, but is never false while something waits and everybody has returned.
     */
    private volatile boolean due;

    /**
     * Wraps an engine that has not been used.
     *
     * @param engine with its mode and its parameters set
     * @throws SSLException if it can't begin a handshake
     */
    public JsseEngine(SSLEngine engine) throws SSLException {
        this.engine = engine;
        engine.beginHandshake();
        ask(); // a client speaks first
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
        } catch (SSLException broken) {
            due = true; // the alert that says why
            throw broken;
        } finally {
            room[0] = SPARE_ROOM; // keeps no hold of the chunk
        }
        if (room[1].position() != 0) {
            throw new SSLException("the peer sent a record of more than 16 KiB");
        }
        note(result);
        return status(result);
    }

    /**
     * Up to TLS 1.2 the only handshake message that a peer can send after the handshake is one that begins another: a way
     * to make the server work (CVE-2011-1473) that no client of today needs. No close_notify follows: the end is no orderly one.
     */
    private void refuseRenegotiation(byte contentType) throws SSLException {
        if (contentType == HANDSHAKE_RECORD) {
            throw new SSLException("the peer asked for renegotiation, which is not supported");
        }
    }

    @Override
    public Status wrap(ByteBuffer[] plain, ByteBuffer cipher) throws SSLException {
        due = false;
        SSLEngineResult result = engine.wrap(plain, cipher);
        if (result.getStatus() != SSLEngineResult.Status.CLOSED) {
            note(result);
        }
        return status(result);
    }

    @Override
    public int leastRoom() {
        return MOST_OUTPUT;
    }

    /** The end of a handshake hides that a session ticket is to follow it. */
    private void note(SSLEngineResult result) {
        HandshakeStatus now = result.getHandshakeStatus();
        if (now == HandshakeStatus.NEED_WRAP) {
            due = true;
        } else if (now == HandshakeStatus.FINISHED) {
            ask();
        }
    }

    private void ask() {
        if (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP && !engine.isOutboundDone()) {
            due = true;
        }
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
        HandshakeStatus next = result.getHandshakeStatus();
        if (next == HandshakeStatus.NEED_TASK) {
            return Status.NEEDS_TASK;
        }
        if (result.bytesConsumed() > 0 || result.bytesProduced() > 0) {
            return Status.PROGRESS;
        }
        return switch (next) {
            case NEED_WRAP -> Status.NEEDS_WRAP;
            case NEED_UNWRAP -> Status.NEEDS_INPUT;
            case NEED_TASK, NEED_UNWRAP_AGAIN, FINISHED, NOT_HANDSHAKING -> Status.PROGRESS;
        };
    }

    @Override
    public boolean hasOutput() {
        return due;
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
        Runnable task = engine.getDelegatedTask();
        return task == null
                ? null
                : () -> {
                    task.run();
                    ask();
                };
    }

    @Override
    public void closeOutput() {
        engine.closeOutbound();
        ask();
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

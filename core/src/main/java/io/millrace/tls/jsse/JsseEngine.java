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
 * The engine of the JDK. It synchronizes all calls, queries included, so results that it has returned are cached here.
 *
 * <p>Its {@code unwrap} requires slightly more room than a record can contain, for padding. A second buffer behind the chunk
 * provides that room; no byte is ever written to it.
 */
public final class JsseEngine implements TlsEngine {

    private static final byte HANDSHAKE_RECORD = 22;
    private static final ByteBuffer SPARE_ROOM = ByteBuffer.allocate(2048);

    private final SSLEngine engine;
    private final ByteBuffer[] room = {SPARE_ROOM, SPARE_ROOM.duplicate()};
    private final long begun = System.currentTimeMillis();
    private volatile boolean established;
    private boolean mayRenegotiate;

    /**
     * Whether output is pending. Set after each call that may produce some; cleared only by the wrapping thread, before it wraps. So it may
     * be true without output, but is never false while output is pending and no call is in progress.
     */
    private volatile boolean due;

    /**
     * Wraps an engine that has not been used.
     *
     * @param engine with its mode and its parameters set
     * @throws SSLException if it cannot begin a handshake
     */
    public JsseEngine(SSLEngine engine) throws SSLException {
        this.engine = engine;
        engine.beginHandshake();
        updateDue(); // a client sends the first message
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
            due = true; // an alert
            throw broken;
        } finally {
            room[0] = SPARE_ROOM; // holds no reference to the chunk
        }
        if (room[1].position() != 0) {
            throw new SSLException("the peer sent a record of more than 16 KiB");
        }
        note(result);
        return status(result);
    }

    /**
     * Up to TLS 1.2, a handshake message after the handshake requests renegotiation: a way to load the server (CVE-2011-1473)
     * that no current client needs. No close_notify follows, because this is not an orderly end.
     */
    private void refuseRenegotiation(byte contentType) throws SSLException {
        if (contentType == HANDSHAKE_RECORD) {
            throw new SSLException("the peer requested renegotiation, which is not supported");
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
        return MAX_OUTPUT;
    }

    /** FINISHED hides that a session ticket is pending, so the status is queried then. */
    private void note(SSLEngineResult result) {
        HandshakeStatus now = result.getHandshakeStatus();
        if (now == HandshakeStatus.NEED_WRAP) {
            due = true;
        } else if (now == HandshakeStatus.FINISHED) {
            updateDue();
        }
    }

    private void updateDue() {
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

    /** The JDK's engine stores a task's failure, and throws it in the next call. */
    @Override
    public @Nullable Runnable takeTask() {
        Runnable task = engine.getDelegatedTask();
        return task == null
                ? null
                : () -> {
                    task.run();
                    updateDue();
                };
    }

    @Override
    public void closeOutput() {
        engine.closeOutbound();
        updateDue();
    }

    @Override
    public SSLSession session() {
        return engine.getSession();
    }

    /** A resumed session is older than its connection. */
    @Override
    public boolean isResumed() {
        return engine.getSession().getCreationTime() < begun;
    }

    @Override
    public @Nullable String applicationProtocol() {
        String chosen = engine.getApplicationProtocol();
        return chosen == null || chosen.isEmpty() ? null : chosen;
    }

    @Override
    public void release() {
        // no memory outside of the heap
    }
}

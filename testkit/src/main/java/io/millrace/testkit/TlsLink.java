package io.millrace.testkit;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;

/** A client's link with TLS over another link. Not thread-safe. */
public final class TlsLink implements ContractLink {

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final ContractLink below;
    private final SSLEngine engine;
    private final ByteBuffer record;
    private final ByteBuffer plain;
    private ByteBuffer cipher = ByteBuffer.allocate(0);
    private boolean ended;

    /** Performs the handshake. */
    public TlsLink(ContractLink below, SSLEngine engine) throws IOException {
        this.below = below;
        this.engine = engine;
        record = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
        plain = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize());
        engine.beginHandshake();
        while (isHandshaking()) {
            if (engine.getHandshakeStatus() == HandshakeStatus.NEED_UNWRAP && !unwrap()) {
                throw new EOFException("the server ended the handshake");
            }
            answer();
        }
    }

    /** The client's engine. */
    public SSLEngine engine() {
        return engine;
    }

    @Override
    public void send(byte[] bytes) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        ByteBuffer source = ByteBuffer.wrap(bytes);
        while (source.hasRemaining()) {
            wrap(source, all);
        }
        below.send(all.toByteArray());
    }

    @Override
    public byte[] receive() throws IOException {
        while (!ended && plain.position() == 0) {
            ended = !unwrap();
            answer();
        }
        byte[] bytes = new byte[plain.flip().remaining()];
        plain.get(bytes);
        plain.clear();
        return bytes;
    }

    @Override
    public void pause() {
        below.pause();
    }

    @Override
    public void finish() throws IOException {
        engine.closeOutbound();
        answer();
        below.finish();
    }

    /** Ends the output for TLS only: the connection below stays open both ways. */
    public void notifyOfEnd() throws IOException {
        engine.closeOutbound();
        answer();
    }

    /** Ends the output below TLS only, as if the bytes had been cut off. */
    public void finishWithoutNotice() throws IOException {
        below.finish();
    }

    @Override
    public void breakOff() throws IOException {
        below.breakOff();
    }

    @Override
    public void checkNothingHeld() throws Exception {
        below.checkNothingHeld();
    }

    private boolean isHandshaking() {
        return engine.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING;
    }

    /** Unwraps one record. Returns false at the end. */
    private boolean unwrap() throws IOException {
        while (true) {
            SSLEngineResult result = engine.unwrap(cipher, plain);
            if (result.getStatus() == Status.CLOSED) {
                return false;
            }
            if (result.getStatus() == Status.OK) {
                return true;
            }
            byte[] more = below.receive();
            if (more.length == 0) {
                return false;
            }
            ByteBuffer joined = ByteBuffer.allocate(cipher.remaining() + more.length);
            cipher = joined.put(cipher).put(more).flip();
        }
    }

    /** Runs the engine's tasks and sends what it has to send. */
    private void answer() throws IOException {
        for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
            task.run();
        }
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        while (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP && !engine.isOutboundDone()) {
            wrap(NOTHING, all);
        }
        if (all.size() > 0) {
            below.send(all.toByteArray());
        }
    }

    private void wrap(ByteBuffer source, ByteArrayOutputStream into) throws IOException {
        engine.wrap(source, record.clear());
        into.write(record.array(), 0, record.position());
    }
}

package io.millrace.tls.layer;

import io.millrace.tls.TlsEngine;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** An engine whose handshake is complete after the first record, and which produces no messages of its own. */
abstract class StubEngine implements TlsEngine {

    private boolean handshaking = true;

    /** A record after the handshake. */
    abstract Status record(ByteBuffer cipher, ByteBuffer plain);

    @Override
    public final Status unwrap(ByteBuffer cipher, ByteBuffer plain) {
        if (!handshaking) {
            return record(cipher, plain);
        }
        cipher.position(cipher.limit());
        handshaking = false;
        return Status.PROGRESS;
    }

    @Override
    public Status wrap(ByteBuffer[] plain, ByteBuffer cipher) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int leastRoom() {
        return MAX_OUTPUT;
    }

    @Override
    public boolean hasOutput() {
        return false;
    }

    @Override
    public boolean isHandshaking() {
        return handshaking;
    }

    @Override
    public @Nullable Runnable takeTask() {
        return null;
    }

    @Override
    public void closeOutput() {}

    @Override
    public SSLSession session() {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean isResumed() {
        return false;
    }

    @Override
    public @Nullable String applicationProtocol() {
        return null;
    }

    @Override
    public void release() {}
}

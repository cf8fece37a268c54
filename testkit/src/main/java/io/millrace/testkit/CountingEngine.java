package io.millrace.testkit;

import io.millrace.tls.TlsEngine;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** An engine that counts calls of wrap and unwrap. */
record CountingEngine(TlsEngine engine, Counts counts) implements TlsEngine {

    /** Counts of any number of engines. */
    static final class Counts {

        private final AtomicLong wraps = new AtomicLong();
        private final AtomicLong unwraps = new AtomicLong();

        long wrapped() {
            return wraps.get();
        }

        long unwrapped() {
            return unwraps.get();
        }
    }

    @Override
    public Status unwrap(ByteBuffer cipher, ByteBuffer plain) throws SSLException {
        counts.unwraps.incrementAndGet();
        return engine.unwrap(cipher, plain);
    }

    @Override
    public Status wrap(ByteBuffer[] plain, ByteBuffer cipher) throws SSLException {
        counts.wraps.incrementAndGet();
        return engine.wrap(plain, cipher);
    }

    @Override
    public int leastRoom() {
        return engine.leastRoom();
    }

    @Override
    public boolean hasOutput() {
        return engine.hasOutput();
    }

    @Override
    public boolean isHandshaking() {
        return engine.isHandshaking();
    }

    @Override
    public @Nullable Runnable takeTask() {
        return engine.takeTask();
    }

    @Override
    public void closeOutput() {
        engine.closeOutput();
    }

    @Override
    public SSLSession session() {
        return engine.session();
    }

    @Override
    public boolean isResumed() {
        return engine.isResumed();
    }

    @Override
    public @Nullable String applicationProtocol() {
        return engine.applicationProtocol();
    }

    @Override
    public void release() {
        engine.release();
    }
}
